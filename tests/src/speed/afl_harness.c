/* The tested program in AFL++'s persistent mode: test cases in shared memory, four bytes for each input. */
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

__AFL_FUZZ_INIT();

int tested_main(void);
static jmp_buf end;
static const unsigned char *next;
static long left;
static int is_first;

static uint32_t take(void)
{
    uint32_t value;
    if (left < 4)
        longjmp(end, 1);
    memcpy(&value, next, 4);
    next += 4;
    left -= 4;
    /* The number of rounds: small, so that all runs are short. */
    if (is_first)
        value &= 7;
    is_first = 0;
    return value;
}

unsigned int __VERIFIER_nondet_uint(void) { return take(); }
int __VERIFIER_nondet_int(void) { return (int)take(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)take(); }
void abort(void) { longjmp(end, 2); }

int main(void)
{
    __AFL_INIT();
    unsigned char *buffer = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(1000000)) {
        next = buffer;
        left = __AFL_FUZZ_TESTCASE_LEN;
        is_first = 1;
        /* The tested programs set up their own state, so that nothing need be reset here. */
        if (!setjmp(end))
            tested_main();
    }
    return 0;
}
