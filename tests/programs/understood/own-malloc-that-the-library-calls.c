// claim: unknown strdup may call `malloc`, which the program defines
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern char *strdup(const char *);
static char heap[64];
static int used;
void *malloc(__SIZE_TYPE__ n) {
    used += n;
    return heap;
}
void free(void *p) {}
int main(void) {
    if (__VERIFIER_nondet_int() == 1234567) {
        used = 0;
        strdup("abc");
        if (used == 4) reach_error();
    }
    return 0;
}
