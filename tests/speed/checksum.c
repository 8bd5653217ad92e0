// Small: a CRC over bytes that a generator produces, bit by bit. The first input is the number of rounds.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned int crc_byte(unsigned int crc, unsigned int byte)
{
    crc ^= byte & 255u;
    for (int bit = 0; bit < 8; bit++) {
        if (crc & 1u)
            crc = (crc >> 1) ^ 0xEDB88320u;
        else
            crc >>= 1;
    }
    return crc;
}

int main(void)
{
    unsigned int rounds = __VERIFIER_nondet_uint();
    unsigned int seed = __VERIFIER_nondet_uint();
    unsigned int crc = 0xFFFFFFFFu;
    for (unsigned int i = 0; i < rounds; i++) {
        crc = crc_byte(crc, seed >> 24);
        seed = seed * 1664525u + 1013904223u;
    }
    if (rounds == 0 && crc != 0xFFFFFFFFu)
        reach_error();
    return (int)(crc & 0x7FFFFFFFu);
}
