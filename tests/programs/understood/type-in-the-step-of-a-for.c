// claim: unknown type that the last expression of a `for` declares
extern void reach_error(void);
enum { X = 1 };
int main(void) {
    for (int i = 0; i < 1; i += sizeof(enum { X = 2 })) {
        if (X == 2) reach_error();
    }
    return 0;
}
