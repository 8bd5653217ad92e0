//! Products and quotients of complex constants, worked out only where no step rounds.

/// Real and imaginary part.
#[derive(Clone, Copy)]
pub(super) struct Pair(pub f64, pub f64);

pub(super) fn exact_product(x: Pair, y: Pair) -> Option<Pair> {
    let real = sum(product(x.0, y.0)?, -product(x.1, y.1)?)?;
    let imaginary = sum(product(x.0, y.1)?, product(x.1, y.0)?)?;
    plain(Pair(real, imaginary))
}

pub(super) fn exact_quotient(x: Pair, y: Pair) -> Option<Pair> {
    let denominator = sum(product(y.0, y.0)?, product(y.1, y.1)?)?;
    let real = sum(product(x.0, y.0)?, product(x.1, y.1)?)?;
    let imaginary = sum(product(x.1, y.0)?, -product(x.0, y.1)?)?;
    plain(Pair(quotient(real, denominator)?, quotient(imaginary, denominator)?))
}

/// The sign of a zero is not what it would be after rounding: only a positive zero is certain.
fn plain(pair: Pair) -> Option<Pair> {
    let plain = |part: f64| part != 0.0 || part.is_sign_positive();
    (plain(pair.0) && plain(pair.1)).then_some(pair)
}

/// Away from the ends of the range, where the tests below are not exact.
fn in_range(value: f64) -> bool {
    value == 0.0 || (1e-100..1e100).contains(&value.abs())
}

fn product(x: f64, y: f64) -> Option<f64> {
    let result = x * y;
    (in_range(x) && in_range(y) && x.mul_add(y, -result) == 0.0).then_some(result)
}

/// The rounding error of a sum is a floating-point number, which Knuth's method finds.
fn sum(x: f64, y: f64) -> Option<f64> {
    let result = x + y;
    let part = result - x;
    let error = (x - (result - part)) + (y - part);
    (in_range(result) && error == 0.0).then_some(result)
}

fn quotient(x: f64, y: f64) -> Option<f64> {
    let result = x / y;
    (in_range(x) && in_range(y) && y != 0.0 && result.mul_add(y, -x) == 0.0).then_some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_exact_is_worked_out() {
        let product = exact_product(Pair(1.0, 2.0), Pair(3.0, -4.0)).map(|p| (p.0, p.1));
        assert_eq!(product, Some((11.0, 2.0)));
        let quotient = exact_quotient(Pair(11.0, 2.0), Pair(3.0, -4.0)).map(|p| (p.0, p.1));
        assert_eq!(quotient, Some((1.0, 2.0)));
        assert!(exact_product(Pair(0.1, 0.2), Pair(0.3, 0.4)).is_none());
        assert!(exact_quotient(Pair(1.0, 0.0), Pair(3.0, 0.0)).is_none());
        assert!(exact_quotient(Pair(1.0, 0.0), Pair(0.0, 0.0)).is_none());
        assert!(exact_product(Pair(-1.0, 0.0), Pair(1.0, 0.0)).is_some());
    }
}
