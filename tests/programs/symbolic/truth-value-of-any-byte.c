extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
/* Memory of a `_Bool` may hold any byte. */
union { _Bool truth; unsigned char byte; } u;
int main(void) {
    u.byte = __VERIFIER_nondet_int();
    if (u.truth != 0 && u.truth != 1) reach_error();
    return 0;
}
