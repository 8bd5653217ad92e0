// What goes to standard output is kept whichever function prints it, and what goes to standard error is not.
#include <stdarg.h>
#include <stdio.h>

static int print(FILE *stream, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int length = vfprintf(stream, format, list);
    va_end(list);
    return length;
}

int main(void) {
    if (stdout == NULL || stdout == stderr) return 1;
    if (fprintf(stdout, "%d %s\n", 4, "four") != 7) return 1;
    if (print(stdout, "%c%c\n", 'a', 'b') != 3) return 1;
    fputs("line\n", stdout);
    fputc('c', stdout);
    fwrite("ddd\n", 1, 4, stdout);
    print(stderr, "not %d\n", 1);
    fprintf(stderr, "kept\n");
    return 0;
}
