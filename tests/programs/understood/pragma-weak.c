// claim: solved
extern void reach_error(void);
int absent(void);
#pragma weak absent
int main(void) {
    if (!absent) reach_error();
    return 0;
}
