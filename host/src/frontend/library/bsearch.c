void *bsearch(const void *__tandem_key, const void *__tandem_base, __typeof__(sizeof(0)) __tandem_count,
              __typeof__(sizeof(0)) __tandem_size, int (*__tandem_compare)(const void *, const void *)) {
    __typeof__(sizeof(0)) __tandem_low = 0;
    __typeof__(sizeof(0)) __tandem_high = __tandem_count;
    while (__tandem_low < __tandem_high) {
        __typeof__(sizeof(0)) __tandem_middle = (__tandem_low + __tandem_high) / 2;
        const char *__tandem_element = (const char *)__tandem_base + __tandem_middle * __tandem_size;
        int __tandem_order = __tandem_compare(__tandem_key, __tandem_element);
        if (__tandem_order < 0) {
            __tandem_high = __tandem_middle;
        } else if (__tandem_order > 0) {
            __tandem_low = __tandem_middle + 1;
        } else {
            return (void *)__tandem_element;
        }
    }
    return 0;
}
