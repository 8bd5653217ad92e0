__typeof__(div(0, 1)) div(int __tandem_numerator, int __tandem_denominator) {
    __typeof__(div(0, 1)) __tandem_result;
    __tandem_result.quot = __tandem_numerator / __tandem_denominator;
    __tandem_result.rem = __tandem_numerator % __tandem_denominator;
    return __tandem_result;
}
