void *lsearch(const void *__tandem_key, void *__tandem_base, __typeof__(sizeof(0)) *__tandem_count,
              __typeof__(sizeof(0)) __tandem_size, int (*__tandem_compare)(const void *, const void *)) {
    char *__tandem_element = __tandem_base;
    __typeof__(sizeof(0)) __tandem_index = 0;
    while (__tandem_index < *__tandem_count) {
        if (__tandem_compare(__tandem_key, __tandem_element) == 0) {
            return __tandem_element;
        }
        __tandem_element = __tandem_element + __tandem_size;
        __tandem_index++;
    }
    __builtin_memcpy(__tandem_element, __tandem_key, __tandem_size);
    *__tandem_count = *__tandem_count + 1;
    return __tandem_element;
}
