// claim: solved
extern void reach_error(void);
int unlink(const char *path);
int main(void) {
    int x = 0;
    if (unlink("file")) x = 1;
    if (x > 1) reach_error();
    return 0;
}
