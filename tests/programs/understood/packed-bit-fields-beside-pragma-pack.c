// claim: solved
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
#pragma pack(push, 4)
struct flags { unsigned ready : 1; unsigned mode : 12; } __attribute__((packed));
struct other { int m0 : 11; unsigned : 0; } __attribute__((packed));
union both { unsigned long long m0; int m1 : 29; _Bool : 1; } __attribute__((packed));
#pragma pack(pop)
#pragma pack(push, 2)
struct small { long long a : 25 __attribute__((packed)); unsigned short b : 10 __attribute__((packed)); };
#pragma pack(pop)
int main(void) {
    if (sizeof(struct other) != 4 || sizeof(union both) != 8 || _Alignof(union both) != 4 || sizeof(struct small) != 6) return 0;
    if (__VERIFIER_nondet_int() == 1234567 && sizeof(struct flags) == 4) reach_error();
    return 0;
}
