// Small: heap sort of an array, checked. The first input is the number of rounds.
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

enum { SIZE = 64 };
static int values[SIZE];

static void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

static void sift(int *heap, int root, int end)
{
    while (2 * root + 1 < end) {
        int child = 2 * root + 1;
        if (child + 1 < end && heap[child] < heap[child + 1])
            child++;
        if (heap[root] >= heap[child])
            return;
        swap(&heap[root], &heap[child]);
        root = child;
    }
}

static void sort(int *heap, int length)
{
    for (int start = length / 2 - 1; start >= 0; start--)
        sift(heap, start, length);
    for (int end = length - 1; end > 0; end--) {
        swap(&heap[0], &heap[end]);
        sift(heap, 0, end);
    }
}

int main(void)
{
    unsigned int rounds = __VERIFIER_nondet_uint();
    int first = __VERIFIER_nondet_int();
    int length = rounds < 16u ? (int)rounds + 1 : SIZE;
    unsigned int state = (unsigned int)first, sum = 0;
    for (unsigned int round = 0; round < rounds; round++) {
        for (int i = 0; i < length; i++) {
            state = state * 1103515245u + 12345u;
            values[i] = (int)(state >> 8) - 8388608;
        }
        sort(values, length);
        for (int i = 1; i < length; i++)
            if (values[i - 1] > values[i])
                reach_error();
        sum = sum * 31u + (unsigned int)values[length / 2];
    }
    return (int)(sum & 0x7FFFFFFFu);
}
