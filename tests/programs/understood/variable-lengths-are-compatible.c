// claim: solved
extern void reach_error(void);
int main(int argc, char **argv) {
    int n = 3, a[n], b[3];
    if (!__builtin_types_compatible_p(typeof(a), int[4])) reach_error();
    if (!__builtin_types_compatible_p(typeof(a), typeof(b))) reach_error();
    if (!__builtin_types_compatible_p(int[2][n], int[2][9])) reach_error();
    if (__builtin_types_compatible_p(int[n], char[3])) reach_error();
    if (__builtin_types_compatible_p(int[n][2], int[n][3])) reach_error();
    if (__builtin_types_compatible_p(int[(int)3.0], int[4])) reach_error();
    return 0;
}
