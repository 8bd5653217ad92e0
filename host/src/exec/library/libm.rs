//! The mathematical functions of the host's C library, which give gcc's results bit by bit, and the processor's and the
//! host's settings that they depend on.

#![allow(unsafe_code)]

use super::call::{double, float};
use super::model::Model;
use super::{Call, Stop};
use std::ffi::{CString, c_char, c_int, c_long};

/// Declares functions of one or two arguments for both types and makes their models. They are linked by the names that ISO/IEC TS
/// 18661-3 gives them (`sqrtf64`): under the usual ones, Rust's compiler has functions of its own, which set no `errno`.
macro_rules! functions {
    ($table:ident $double_suffix:literal $float_suffix:literal: $($double:ident $float:ident ($($x:ident: $index:literal),*);)*) => {
        // SAFETY: these take and give values only, and are defined for all of them; each is declared as `math.h` does.
        #[link(name = "m")]
        unsafe extern "C" {
            $(
                #[link_name = concat!(stringify!($double), $double_suffix)]
                safe fn $double($($x: f64),*) -> f64;
                #[link_name = concat!(stringify!($double), $float_suffix)]
                safe fn $float($($x: f32),*) -> f32;
            )*
        }

        pub const $table: &[Model] = &[$(
            Model::new(
                stringify!($double),
                |call| { $(let $x = call.double($index)?;)* call.noting_errno(|| $double($($x),*)).map(double) },
            ),
            Model::new(
                stringify!($float),
                |call| { $(let $x = call.float($index)?;)* call.noting_errno(|| $float($($x),*)).map(float) },
            ),
        )*];
    };
}

functions! { MODELS "f64" "f32":
    fabs fabsf (x: 0);
    floor floorf (x: 0);
    ceil ceilf (x: 0);
    trunc truncf (x: 0);
    round roundf (x: 0);
    roundeven roundevenf (x: 0);
    rint rintf (x: 0);
    nearbyint nearbyintf (x: 0);
    sqrt sqrtf (x: 0);
    cbrt cbrtf (x: 0);
    sin sinf (x: 0);
    cos cosf (x: 0);
    tan tanf (x: 0);
    asin asinf (x: 0);
    acos acosf (x: 0);
    atan atanf (x: 0);
    sinh sinhf (x: 0);
    cosh coshf (x: 0);
    tanh tanhf (x: 0);
    asinh asinhf (x: 0);
    acosh acoshf (x: 0);
    atanh atanhf (x: 0);
    exp expf (x: 0);
    exp2 exp2f (x: 0);
    exp10 exp10f (x: 0);
    expm1 expm1f (x: 0);
    log logf (x: 0);
    log2 log2f (x: 0);
    log10 log10f (x: 0);
    log1p log1pf (x: 0);
    logb logbf (x: 0);
    erf erff (x: 0);
    erfc erfcf (x: 0);
    tgamma tgammaf (x: 0);
    fmod fmodf (x: 0, y: 1);
    remainder remainderf (x: 0, y: 1);
    pow powf (x: 0, y: 1);
    atan2 atan2f (x: 0, y: 1);
    hypot hypotf (x: 0, y: 1);
    fmin fminf (x: 0, y: 1);
    fmax fmaxf (x: 0, y: 1);
    fdim fdimf (x: 0, y: 1);
    copysign copysignf (x: 0, y: 1);
    nextafter nextafterf (x: 0, y: 1);
    fma fmaf (x: 0, y: 1, z: 2);
}

functions! { OLD_MODELS "" "f":
    drem dremf (x: 0, y: 1);
}

// SAFETY: as above; the integer forms take values only, too.
unsafe extern "C" {
    safe fn ldexp(x: f64, exponent: c_int) -> f64;
    safe fn ldexpf(x: f32, exponent: c_int) -> f32;
    safe fn ilogb(x: f64) -> c_int;
    safe fn ilogbf(x: f32) -> c_int;
    safe fn llrint(x: f64) -> i64;
    safe fn llrintf(x: f32) -> i64;
    safe fn llround(x: f64) -> i64;
    safe fn llroundf(x: f32) -> i64;
    safe fn scalbln(x: f64, exponent: c_long) -> f64;
    safe fn scalblnf(x: f32, exponent: c_long) -> f32;
    safe fn fesetround(direction: c_int) -> c_int;
    fn frexp(x: f64, exponent: *mut c_int) -> f64;
    fn frexpf(x: f32, exponent: *mut c_int) -> f32;
    fn modf(x: f64, whole: *mut f64) -> f64;
    fn modff(x: f32, whole: *mut f32) -> f32;
    fn remquo(x: f64, y: f64, quotient: *mut c_int) -> f64;
    fn remquof(x: f32, y: f32, quotient: *mut c_int) -> f32;
    fn nan(tag: *const c_char) -> f64;
    fn nanf(tag: *const c_char) -> f32;
    fn strtod(text: *const c_char, end: *mut *mut c_char) -> f64;
    fn strtof(text: *const c_char, end: *mut *mut c_char) -> f32;
}

/// The host's functions that have more than floats as parameters and results, for a type of floats.
pub trait Host: Copy {
    fn argument(call: &Call<'_>, index: usize) -> Result<Self, Stop>;
    fn result(self) -> u64;
    fn write(self, call: &mut Call<'_>, address: u64) -> Result<(), Stop>;
    fn times_power(self, exponent: i32) -> Self;
    fn times_long_power(self, exponent: i64) -> Self;
    /// Fraction and exponent.
    fn split_exponent(self) -> (Self, i32);
    /// Fraction and whole part.
    fn split_whole(self) -> (Self, Self);
    fn remainder_quotient(self, by: Self) -> (Self, i32);
    fn exponent(self) -> i32;
    /// To an integer, in the current direction.
    fn rounded(self) -> i64;
    /// To an integer, half away from zero.
    fn rounded_away(self) -> i64;
    fn not_a_number(tag: &[u8]) -> Self;
}

macro_rules! host {
    ($type:ty, $argument:ident, $result:ident, $ldexp:ident, $scalbln:ident, $frexp:ident, $modf:ident, $remquo:ident,
     $ilogb:ident, $llrint:ident, $llround:ident, $nan:ident) => {
        impl Host for $type {
            fn argument(call: &Call<'_>, index: usize) -> Result<Self, Stop> {
                call.$argument(index)
            }
            fn result(self) -> u64 {
                $result(self)
            }
            fn write(self, call: &mut Call<'_>, address: u64) -> Result<(), Stop> {
                call.write(address, &self.to_le_bytes())
            }
            fn times_power(self, exponent: i32) -> Self {
                $ldexp(self, exponent)
            }
            fn times_long_power(self, exponent: i64) -> Self {
                $scalbln(self, exponent)
            }
            fn split_exponent(self) -> (Self, i32) {
                let mut exponent = 0;
                // SAFETY: the pointer is to a variable of its type.
                let fraction = unsafe { $frexp(self, &mut exponent) };
                (fraction, exponent)
            }
            fn split_whole(self) -> (Self, Self) {
                let mut whole = 0.0;
                // SAFETY: the pointer is to a variable of its type.
                let fraction = unsafe { $modf(self, &mut whole) };
                (fraction, whole)
            }
            fn remainder_quotient(self, by: Self) -> (Self, i32) {
                let mut quotient = 0;
                // SAFETY: the pointer is to a variable of its type.
                let remainder = unsafe { $remquo(self, by, &mut quotient) };
                (remainder, quotient)
            }
            fn exponent(self) -> i32 {
                $ilogb(self)
            }
            fn rounded(self) -> i64 {
                $llrint(self)
            }
            fn rounded_away(self) -> i64 {
                $llround(self)
            }
            fn not_a_number(tag: &[u8]) -> Self {
                let tag = c_string(tag);
                // SAFETY: the pointer is to a string.
                unsafe { $nan(tag.as_ptr()) }
            }
        }
    };
}

host!(f64, double, double, ldexp, scalbln, frexp, modf, remquo, ilogb, llrint, llround, nan);
host!(f32, float, float, ldexpf, scalblnf, frexpf, modff, remquof, ilogbf, llrintf, llroundf, nanf);

/// Up to the first null byte.
fn c_string(text: &[u8]) -> CString {
    CString::new(text.split(|&byte| byte == 0).next().unwrap_or_default()).unwrap_or_default()
}

/// The number at the start of a text, and how many bytes it takes.
pub fn parse_double(text: &[u8]) -> (f64, usize) {
    let text = c_string(text);
    let mut end = std::ptr::null_mut();
    // SAFETY: the text is a string, and its end a pointer into it.
    unsafe {
        let value = strtod(text.as_ptr(), &mut end);
        (value, end.offset_from(text.as_ptr()) as usize)
    }
}

pub fn parse_float(text: &[u8]) -> (f32, usize) {
    let text = c_string(text);
    let mut end = std::ptr::null_mut();
    // SAFETY: the text is a string, and its end a pointer into it.
    unsafe {
        let value = strtof(text.as_ptr(), &mut end);
        (value, end.offset_from(text.as_ptr()) as usize)
    }
}

/// Rounding directions are numbered as in x86's `<fenv.h>`. The setting is the thread's.
pub fn set_host_rounding(direction: i32) {
    fesetround(direction);
}

/// One conversion of `printf`: a number as the host prints it with a conversion of C.
pub enum Number {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
}

/// Text that the host's `snprintf` gives. The format must have one conversion, with the length modifier `ll` for
/// integers, and width and precision of at most `room` together.
pub fn print_number(format: &[u8], number: Number, room: usize) -> Vec<u8> {
    let format = c_string(format);
    // The longest number without width and precision is the largest double.
    let mut text = vec![0u8; room + 400];
    let to = text.as_mut_ptr().cast::<c_char>();
    // SAFETY: the buffer has the length given, and the format has one conversion for the type of its argument.
    let length = unsafe {
        match number {
            Number::Signed(value) => libc::snprintf(to, text.len(), format.as_ptr(), value),
            Number::Unsigned(value) => libc::snprintf(to, text.len(), format.as_ptr(), value),
            Number::Float(value) => libc::snprintf(to, text.len(), format.as_ptr(), value),
        }
    };
    text.truncate(usize::try_from(length).unwrap_or(0).min(room + 399));
    text
}

impl Call<'_> {
    /// Executes something of the host, and passes on what it set `errno` to.
    pub(super) fn noting_errno<R>(&mut self, execute: impl FnOnce() -> R) -> Result<R, Stop> {
        // SAFETY: `errno` is a variable of this thread.
        let (result, error) = unsafe {
            let errno = libc::__errno_location();
            *errno = 0;
            (execute(), *errno)
        };
        if error != 0 {
            self.set_errno(error)?;
        }
        Ok(result)
    }
}
