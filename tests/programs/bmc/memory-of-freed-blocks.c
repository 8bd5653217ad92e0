// Memory that was freed may be given out again, also where addresses are compared as numbers.
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void free(void *);
int main(void) {
    unsigned long old = (unsigned long)malloc(24);
    free((void *)old);
    unsigned long new = (unsigned long)malloc(24);
    if (old == new) reach_error();
    return 0;
}
