//! Classification of floating-point numbers: gcc's builtins, and the functions behind older headers' macros.

use super::call::int;
use super::model::{Effects, Model};
use super::{Call, Stop};
use std::num::FpCategory;
use tandem_plugin_api::program::DataModel;

const PURE: Effects = Effects::PURE;

/// A test that gives 0 or 1, for both types. gcc's builtins are generic; a suffix says which type is meant.
macro_rules! tests {
    ($($test:ident: $double:literal $other:expr, $float:literal $otherf:expr;)*) => {
        &[$(
            Model::new(concat!("int ", $double, "(double)"), PURE, |call| Ok(int(call.double(0)?.$test().into())))
                .also($other)
                .between(0, 1),
            Model::new(concat!("int ", $float, "(float)"), PURE, |call| Ok(int(call.float(0)?.$test().into())))
                .also($otherf)
                .between(0, 1),
        )*]
    };
}

/// `isinf` is one of gcc's builtins, and gives 1; the result of glibc's own `__isinf` has the sign.
pub const TESTS: &[Model] = tests! {
    is_nan: "isnan" &["__isnan"], "isnanf" &["__isnanf"];
    is_infinite: "isinf" &[], "isinff" &[];
    is_finite: "finite" &["__finite", "isfinite"], "finitef" &["__finitef", "__builtin_isfinitef"];
    is_normal: "__builtin_isnormal" &["isnormal"], "__builtin_isnormalf" &[];
};

pub const MODELS: &[Model] = &[
    Model::new("int __isinf(double)", PURE, |call| Ok(infinity_sign(call.double(0)?)))
        .also(&["__builtin_isinf_sign"])
        .between(-1, 1),
    Model::new("int __isinff(float)", PURE, |call| Ok(infinity_sign(call.float(0)?.into())))
        .also(&["__builtin_isinf_signf"])
        .between(-1, 1),
    Model::new("int __fpclassify(double)", PURE, |call| Ok(category(call.double(0)?.classify()))).between(0, 4),
    Model::new("int __fpclassifyf(float)", PURE, |call| Ok(category(call.float(0)?.classify()))).between(0, 4),
    Model::new("int __signbit(double)", PURE, |call| sign(call, call.double(0)?.is_sign_negative(), 128)),
    Model::new("int __signbitf(float)", PURE, |call| sign(call, call.float(0)?.is_sign_negative(), 8)),
    Model::new("int __builtin_signbit(double)", PURE, |call| sign(call, call.double(0)?.is_sign_negative(), 1)),
    Model::new("int __builtin_signbitf(float)", PURE, |call| sign(call, call.float(0)?.is_sign_negative(), i32::MIN)),
    Model::new("int __builtin_isunordered(double, double)", PURE, isunordered).between(0, 1),
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
