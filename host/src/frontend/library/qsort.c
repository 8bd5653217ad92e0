/* glibc's merge sort, which compares the same elements in the same order. */
static void __tandem_merge_sort(char *__tandem_base, __typeof__(sizeof(0)) __tandem_count,
                                __typeof__(sizeof(0)) __tandem_size,
                                int (*__tandem_compare)(const void *, const void *), char *__tandem_buffer) {
    if (__tandem_count <= 1) {
        return;
    }
    __typeof__(sizeof(0)) __tandem_left = __tandem_count / 2;
    __typeof__(sizeof(0)) __tandem_right = __tandem_count - __tandem_left;
    char *__tandem_first = __tandem_base;
    char *__tandem_second = __tandem_base + __tandem_left * __tandem_size;
    char *__tandem_to = __tandem_buffer;
    __tandem_merge_sort(__tandem_first, __tandem_left, __tandem_size, __tandem_compare, __tandem_buffer);
    __tandem_merge_sort(__tandem_second, __tandem_right, __tandem_size, __tandem_compare, __tandem_buffer);
    while (__tandem_left > 0 && __tandem_right > 0) {
        if (__tandem_compare(__tandem_first, __tandem_second) <= 0) {
            __builtin_memcpy(__tandem_to, __tandem_first, __tandem_size);
            __tandem_first = __tandem_first + __tandem_size;
            __tandem_left--;
        } else {
            __builtin_memcpy(__tandem_to, __tandem_second, __tandem_size);
            __tandem_second = __tandem_second + __tandem_size;
            __tandem_right--;
        }
        __tandem_to = __tandem_to + __tandem_size;
    }
    if (__tandem_left > 0) {
        __builtin_memcpy(__tandem_to, __tandem_first, __tandem_left * __tandem_size);
    }
    __builtin_memcpy(__tandem_base, __tandem_buffer, (__tandem_count - __tandem_right) * __tandem_size);
}

void qsort(void *__tandem_base, __typeof__(sizeof(0)) __tandem_count, __typeof__(sizeof(0)) __tandem_size,
           int (*__tandem_compare)(const void *, const void *)) {
    __typeof__(sizeof(0)) __tandem_room = __tandem_count * __tandem_size;
    if (__tandem_room < 1024) {
        __tandem_merge_sort(__tandem_base, __tandem_count, __tandem_size, __tandem_compare,
                            __builtin_alloca(__tandem_room));
    } else {
        char *__tandem_buffer = __builtin_malloc(__tandem_room);
        __tandem_merge_sort(__tandem_base, __tandem_count, __tandem_size, __tandem_compare, __tandem_buffer);
        __builtin_free(__tandem_buffer);
    }
}
