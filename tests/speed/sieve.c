// Small: the sieve of Eratosthenes and greatest common divisors. The first input is the number of rounds.
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { LIMIT = 512 };
static unsigned char composite[LIMIT];

static unsigned int divisor(unsigned int a, unsigned int b)
{
    while (b != 0) {
        unsigned int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static unsigned int count_primes(unsigned int limit)
{
    unsigned int count = 0;
    for (unsigned int i = 0; i < limit; i++)
        composite[i] = 0;
    for (unsigned int i = 2; i < limit; i++) {
        if (composite[i])
            continue;
        count++;
        for (unsigned int j = i * i; j < limit; j += i)
            composite[j] = 1;
    }
    return count;
}

int main(void)
{
    unsigned int rounds = __VERIFIER_nondet_uint();
    unsigned int least = rounds < 16u ? 8u : 100u;
    unsigned int number = least + __VERIFIER_nondet_uchar() % least;
    unsigned int sum = 0;
    for (unsigned int round = 0; round < rounds; round++) {
        unsigned int primes = count_primes(number);
        if (primes >= number)
            reach_error();
        sum = sum * 7u + primes + divisor(number * 360u, primes + round);
        number = least + (number * 5u + 1u) % (4u * least);
    }
    return (int)(sum & 0x7FFFFFFFu);
}
