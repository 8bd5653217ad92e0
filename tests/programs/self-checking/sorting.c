// Pointers, recursion and function pointers: a sort that is checked.
extern void abort(void);

static int descending(int a, int b) { return a > b; }

static void sort(int *from, int *to, int (*before)(int, int)) {
    if (to - from < 2) return;
    int pivot = *from, *low = from, *high = to - 1;
    while (low <= high) {
        while (before(*low, pivot)) low++;
        while (before(pivot, *high)) high--;
        if (low <= high) {
            int swapped = *low;
            *low++ = *high;
            *high-- = swapped;
        }
    }
    sort(from, high + 1, before);
    sort(low, to, before);
}

int main(void) {
    int values[64];
    unsigned int next = 12345;
    for (int i = 0; i < 64; i++) {
        next = next * 1103515245u + 12345u;
        values[i] = (int)(next >> 16) % 100;
    }
    sort(values, values + 64, descending);
    for (int i = 1; i < 64; i++) {
        if (values[i - 1] < values[i]) abort();
    }
    return 0;
}
