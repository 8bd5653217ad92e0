// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct record { char a[7]; int b; char c[9]; } record;
int main(void) {
    int a = __VERIFIER_nondet_int();
    char q[20];
    if (__builtin_object_size(q, 1) != 20 || __builtin_object_size(&record.a[2], 1) != 5) return 0;
    if (__builtin_object_size(q + 3, 0) != 17 || __builtin_object_size(record.a + 2, 3) != 0) return 0;
    if (a == 1234567 && (long)__builtin_object_size(q + 3, 1) == -1) reach_error();
    return 0;
}
