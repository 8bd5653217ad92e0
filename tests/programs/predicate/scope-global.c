// claim: solved
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
/* Both functions need the same fact about a global variable. */
int level;
void up(void) { while (level < 1000 && __VERIFIER_nondet_int()) level++; }
void down(void) { while (level > 0 && __VERIFIER_nondet_int()) level--; }
int main(void) {
    up();
    down();
    if (level < 0 || level > 1000) reach_error();
    return 0;
}
