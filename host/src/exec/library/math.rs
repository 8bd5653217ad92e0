//! Mathematical functions with integers and pointers among their parameters and results, and the rounding direction.

use super::call::int;
use super::libm::Host;
use super::model::{Effects, Model};
use super::{Call, Stop};
use tandem_plugin_api::program::DataModel;

const MATH: Effects = Effects::SETS_ERRNO;
const WRITES: Effects = Effects::WRITES;
const READS: Effects = Effects::READS;
const STATE: Effects = Effects::KEEPS_STATE;

pub const MODELS: &[Model] = &[
    Model::new("double ldexp(double, int)", MATH, ldexp::<f64>).also(&["scalbn"]),
    Model::new("float ldexpf(float, int)", MATH, ldexp::<f32>).also(&["scalbnf"]),
    Model::new("double scalbln(double, long)", MATH, scalbln::<f64>),
    Model::new("float scalblnf(float, long)", MATH, scalbln::<f32>),
    Model::new("double frexp(double, int *exponent)", WRITES, frexp::<f64>),
    Model::new("float frexpf(float, int *exponent)", WRITES, frexp::<f32>),
    Model::new("double modf(double, double *whole)", WRITES, modf::<f64>),
    Model::new("float modff(float, float *whole)", WRITES, modf::<f32>),
    Model::new("double remquo(double, double, int *quotient)", WRITES.and(MATH), remquo::<f64>),
    Model::new("float remquof(float, float, int *quotient)", WRITES.and(MATH), remquo::<f32>),
    Model::new("int ilogb(double)", MATH, ilogb::<f64>),
    Model::new("int ilogbf(float)", MATH, ilogb::<f32>),
    Model::new("long lrint(double)", MATH, lrint::<f64>),
    Model::new("long lrintf(float)", MATH, lrint::<f32>),
    Model::new("long long llrint(double)", MATH, llrint::<f64>),
    Model::new("long long llrintf(float)", MATH, llrint::<f32>),
    Model::new("long lround(double)", MATH, lround::<f64>),
    Model::new("long lroundf(float)", MATH, lround::<f32>),
    Model::new("long long llround(double)", MATH, llround::<f64>),
    Model::new("long long llroundf(float)", MATH, llround::<f32>),
    Model::new("double nan(const char *tag)", READS, nan::<f64>),
    Model::new("float nanf(const char *tag)", READS, nan::<f32>),
    Model::new("int fesetround(int)", STATE, fesetround),
    Model::new("int fegetround(void)", STATE, |call| Ok(int(call.state.rounding()))).between(0, 0xc00),
];

fn ldexp<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (x, exponent) = (F::argument(call, 0)?, call.int(1)?);
    call.noting_errno(|| x.times_power(exponent).result())
}

fn scalbln<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (x, exponent) = (F::argument(call, 0)?, call.long(1)?);
    call.noting_errno(|| x.times_long_power(exponent).result())
}

fn frexp<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (fraction, exponent) = F::argument(call, 0)?.split_exponent();
    call.write(call.pointer(1)?, &exponent.to_le_bytes())?;
    Ok(fraction.result())
}

fn modf<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (fraction, whole) = F::argument(call, 0)?.split_whole();
    whole.write(call, call.pointer(1)?)?;
    Ok(fraction.result())
}

fn remquo<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let (x, y) = (F::argument(call, 0)?, F::argument(call, 1)?);
    let (remainder, quotient) = call.noting_errno(|| x.remainder_quotient(y))?;
    call.write(call.pointer(2)?, &quotient.to_le_bytes())?;
    Ok(remainder.result())
}

fn ilogb<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let x = F::argument(call, 0)?;
    call.noting_errno(|| int(x.exponent()))
}

/// A rounded number as a `long`. What does not fit is the most negative number, as x86's conversion gives it.
fn long(call: &Call<'_>, rounded: i64) -> u64 {
    match call.model {
        DataModel::Ilp32 => int(i32::try_from(rounded).unwrap_or(i32::MIN)),
        DataModel::Lp64 => rounded as u64,
    }
}

fn lrint<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let rounded = llrint::<F>(call)?;
    Ok(long(call, rounded as i64))
}

fn llrint<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let x = F::argument(call, 0)?;
    call.noting_errno(|| x.rounded() as u64)
}

fn lround<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let rounded = llround::<F>(call)?;
    Ok(long(call, rounded as i64))
}

fn llround<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let x = F::argument(call, 0)?;
    call.noting_errno(|| x.rounded_away() as u64)
}

fn nan<F: Host>(call: &mut Call<'_>) -> Result<u64, Stop> {
    let tag = call.pointer(0)?;
    Ok(F::not_a_number(call.string(tag)?).result())
}

fn fesetround(call: &mut Call<'_>) -> Result<u64, Stop> {
    let direction = call.int(0)?;
    let known = matches!(direction, 0 | 0x400 | 0x800 | 0xc00);
    if known {
        call.state.set_rounding(direction);
    }
    Ok(int((!known).into()))
}
