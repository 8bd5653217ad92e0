//! Classification of floating-point numbers: gcc's builtins, and the functions behind older headers' macros.

use super::call::int;
use super::model::Model;
use super::{Call, Stop};
use std::num::FpCategory;
use tandem_plugin_api::program::DataModel;

/// A test that gives 0 or 1, for both types. gcc's builtins are generic; a suffix says which type is meant.
macro_rules! tests {
    ($($test:ident: $double:literal $other:expr, $float:literal $otherf:expr;)*) => {
        &[$(
            Model::new($double, |call| Ok(int(call.double(0)?.$test().into())))
                .also($other),
            Model::new($float, |call| Ok(int(call.float(0)?.$test().into())))
                .also($otherf),
        )*]
    };
}

/// `isinf` is one of gcc's builtins, and gives 1; the result of glibc's own `__isinf` has the sign.
pub const TESTS: &[Model] = tests! {
    is_nan: "isnan" &["__isnan"], "isnanf" &["__isnanf"];
    is_infinite: "isinf" &[], "isinff" &[];
    is_finite: "finite" &["__finite", "isfinite"], "finitef" &["__finitef", "__builtin_isfinitef"];
    is_normal: "isnormal" &[], "__builtin_isnormalf" &[];
};

pub const MODELS: &[Model] = &[
    Model::new("__isinf", |call| Ok(infinity_sign(call.double(0)?))).also(&["__builtin_isinf_sign"]),
    Model::new("__isinff", |call| Ok(infinity_sign(call.float(0)?.into()))).also(&["__builtin_isinf_signf"]),
    Model::new("__fpclassify", |call| Ok(category(call.double(0)?.classify()))),
    Model::new("__fpclassifyf", |call| Ok(category(call.float(0)?.classify()))),
    Model::new("__signbit", |call| sign(call, call.double(0)?.is_sign_negative(), 128)),
    Model::new("__signbitf", |call| sign(call, call.float(0)?.is_sign_negative(), 8)),
    Model::new("__builtin_signbit", |call| sign(call, call.double(0)?.is_sign_negative(), 1)),
    Model::new("__builtin_signbitf", |call| sign(call, call.float(0)?.is_sign_negative(), i32::MIN)),
    Model::new("__builtin_isunordered", isunordered),
];

fn infinity_sign(x: f64) -> u64 {
    int(match x {
        f64::INFINITY => 1,
        f64::NEG_INFINITY => -1,
        _ => 0,
    })
}

/// `FP_NAN`, `FP_INFINITE`, `FP_ZERO`, `FP_SUBNORMAL`, `FP_NORMAL`.
fn category(category: FpCategory) -> u64 {
    int(match category {
        FpCategory::Nan => 0,
        FpCategory::Infinite => 1,
        FpCategory::Zero => 2,
        FpCategory::Subnormal => 3,
        FpCategory::Normal => 4,
    })
}

/// Not zero for a negative number. C leaves the value open; these are gcc's for the two instruction sets.
fn sign(call: &Call<'_>, negative: bool, with_sse: i32) -> Result<u64, Stop> {
    const WITH_X87: i32 = 0x200;
    Ok(int(match (negative, call.model) {
        (false, _) => 0,
        (true, DataModel::Ilp32) => WITH_X87,
        (true, DataModel::Lp64) => with_sse,
    }))
}

fn isunordered(call: &mut Call<'_>) -> Result<u64, Stop> {
    Ok(int((call.double(0)?.is_nan() || call.double(1)?.is_nan()).into()))
}
