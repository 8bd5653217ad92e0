//! Mathematical functions with integers and pointers among their parameters and results, and the rounding direction.

use super::call::int;
use super::libm::Host;
use super::model::Model;
use super::{Call, Stop};
use tandem_plugin_api::program::DataModel;

pub const MODELS: &[Model] = &[
    Model::new("ldexp", ldexp::<f64>).also(&["scalbn"]),
    Model::new("ldexpf", ldexp::<f32>).also(&["scalbnf"]),
    Model::new("scalbln", scalbln::<f64>),
    Model::new("scalblnf", scalbln::<f32>),
    Model::new("frexp", frexp::<f64>),
    Model::new("frexpf", frexp::<f32>),
    Model::new("modf", modf::<f64>),
    Model::new("modff", modf::<f32>),
    Model::new("remquo", remquo::<f64>),
    Model::new("remquof", remquo::<f32>),
    Model::new("ilogb", ilogb::<f64>),
    Model::new("ilogbf", ilogb::<f32>),
    Model::new("lrint", lrint::<f64>),
    Model::new("lrintf", lrint::<f32>),
    Model::new("llrint", llrint::<f64>),
    Model::new("llrintf", llrint::<f32>),
    Model::new("lround", lround::<f64>),
    Model::new("lroundf", lround::<f32>),
    Model::new("llround", llround::<f64>),
    Model::new("llroundf", llround::<f32>),
    Model::new("nan", nan::<f64>),
    Model::new("nanf", nan::<f32>),
    Model::new("fesetround", fesetround),
    Model::new("fegetround", |call| Ok(int(call.state.rounding()))),
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
