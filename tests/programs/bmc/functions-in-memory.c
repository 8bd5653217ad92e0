// claim: solved
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int later(int x);
int earlier(int x) { return x + later(x); }
int later(int x) { return x * 2; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    int (*table[2])(int) = {earlier, later}, (*chosen)(int);
    unsigned char bytes[sizeof chosen];
    memcpy(bytes, &table[n & 1], sizeof chosen);
    memcpy(&chosen, bytes, sizeof chosen);
    void *pointer = (void *)(unsigned long)chosen;
    if (pointer == 0 || (void *)earlier == (void *)later || chosen(3) != ((n & 1) ? 6 : 9)) reach_error();
    return 0;
}
