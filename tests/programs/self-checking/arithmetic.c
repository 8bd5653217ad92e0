// Integer arithmetic at the edges of its types, against values worked out by hand.
extern void abort(void);

static unsigned int crc(unsigned int state, unsigned char byte) {
    state ^= byte;
    for (int bit = 0; bit < 8; bit++) {
        state = state & 1 ? state >> 1 ^ 0xEDB88320u : state >> 1;
    }
    return state;
}

int main(void) {
    signed char narrow = (signed char)200;
    if (narrow != -56) abort();
    if ((unsigned char)-1 + 1 != 256) abort();
    if (-7 / 2 != -3 || -7 % 2 != -1) abort();
    if ((1u << 31) >> 31 != 1) abort();
    if (-1 < 0u) abort();
    unsigned int state = 0xFFFFFFFFu;
    for (const char *at = "123456789"; *at; at++) {
        state = crc(state, (unsigned char)*at);
    }
    if ((state ^ 0xFFFFFFFFu) != 0xCBF43926u) abort();
    return 0;
}
