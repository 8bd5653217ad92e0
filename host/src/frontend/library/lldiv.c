__typeof__(lldiv(0, 1)) lldiv(long long __tandem_numerator, long long __tandem_denominator) {
    __typeof__(lldiv(0, 1)) __tandem_result;
    __tandem_result.quot = __tandem_numerator / __tandem_denominator;
    __tandem_result.rem = __tandem_numerator % __tandem_denominator;
    return __tandem_result;
}
