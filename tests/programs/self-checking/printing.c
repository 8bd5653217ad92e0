// What is printed is compared, too.
extern int printf(const char *format, ...);
extern int puts(const char *text);
extern int putchar(int character);

struct pair {
    unsigned int low : 3;
    int high : 5;
};

int main(void) {
    struct pair pair = {9, -9};
    printf("%u %d %s %c %5.2f|%-4d|%04x\n", pair.low, pair.high, "text", 'c', 3.14159, 7, 255u);
    puts("line");
    for (int i = 0; i < 3; i++) {
        putchar('a' + i);
    }
    putchar('\n');
    return 0;
}
