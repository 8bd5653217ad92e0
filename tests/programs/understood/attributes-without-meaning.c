// claim: solved
extern void reach_error(void);
#pragma GCC diagnostic ignored "-Wunused"
__attribute__((noinline, noclone, cold, section(".text.cold"))) static int one(int x __attribute__((unused))) { return 1; }
struct __attribute__((packed)) pair { char a; int b; };
int main(void) {
    switch (sizeof(struct pair)) {
    case 1: __attribute__((fallthrough));
    case 5: break;
    default: reach_error();
    }
    if (one(2) != 1) reach_error();
    return 0;
}
