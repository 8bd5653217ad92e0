// claim: unknown parameter `(number)`, where `number` is a type
extern void reach_error(void);
typedef int number;
int apply(int(number)) { return sizeof(number) == 4; }
int one(int x) { return x + 1; }
int main(void) {
    if (apply(one)) reach_error();
    return 0;
}
