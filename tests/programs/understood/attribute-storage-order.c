// claim: unknown attribute `scalar_storage_order`
extern void reach_error(void);
typedef union { struct { int x; } __attribute__((scalar_storage_order("big-endian"))) s; unsigned char bytes[4]; } swapped;
int main(void) {
    swapped u;
    u.s.x = 1;
    if (u.bytes[0] == 0) reach_error();
    return 0;
}
