// Lists of variadic arguments that are passed on to the C library.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vprintf(format, list);
    va_end(list);
    return length;
}

static int into(char *to, size_t room, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int length = vsnprintf(to, room, format, list);
    va_end(list);
    char whole[200];
    if (vsprintf(whole, format, again) != length) abort();
    va_end(again);
    if (room > 0 && strncmp(to, whole, room - 1) != 0) abort();
    return length;
}

int main(void) {
    char text[16];
    long long large = 123456789012345LL;
    if (say("%d %s %c\n", 42, "text", 'x') != 10) abort();
    if (say("%lld %ld %.3f %d\n", large, -5L, 2.5, 7) != 27) abort();
    if (say("%*d|%-*s|%p\n", 5, 42, 4, "ab", (void *)0) != 17) abort();
    if (say("plain\n") != 6) abort();
    if (into(text, sizeof text, "%d-%g-%lld", 7, 0.5, large) != 21) abort();
    if (strcmp(text, "7-0.5-123456789") != 0) abort();
    if (into(text, 0, "%hhd %u %zu", 300, 4000000000u, sizeof(char)) != 15) abort();
    return 0;
}
