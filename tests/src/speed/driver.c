/* Runs the tested program once on the inputs of the command line, and prints what it returned and the CPU nanoseconds. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int tested_main(void);
static char **next, **end;

static unsigned int take(void)
{
    if (next == end)
        exit(3);
    return (unsigned int)strtoul(*next++, 0, 10);
}

unsigned int __VERIFIER_nondet_uint(void) { return take(); }
int __VERIFIER_nondet_int(void) { return (int)take(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)take(); }

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **arguments)
{
    next = arguments + 1;
    end = arguments + count;
    long long start = now();
    int result = tested_main();
    long long finish = now();
    printf("%d %lld\n", result, finish - start);
    return 0;
}
