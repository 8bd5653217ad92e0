//! gcc's builtins that are no functions of the C library under another name.

use super::super::effects::{Effects, Life, Models};
use super::super::entry::{Entry, ends, pure, stateful};

pub const FUNCTIONS: &[Entry] = &[
    pure("unsigned short __builtin_bswap16(unsigned short value)").builtin(),
    pure("unsigned __builtin_bswap32(unsigned value)").builtin(),
    pure("uint64_t __builtin_bswap64(uint64_t value)").builtin(),
    pure("int __builtin_popcount(unsigned value)").builtin().between(0, 32),
    pure("int __builtin_popcountl(unsigned long value)").builtin().between(0, 64),
    pure("int __builtin_popcountll(unsigned long long value)").builtin().between(0, 64),
    pure("int __builtin_parity(unsigned value)").builtin().between(0, 1),
    pure("int __builtin_parityl(unsigned long value)").builtin().between(0, 1),
    pure("int __builtin_parityll(unsigned long long value)").builtin().between(0, 1),
    pure("int __builtin_clz(unsigned value)").builtin().between(0, 31),
    pure("int __builtin_clzl(unsigned long value)").builtin().between(0, 63),
    pure("int __builtin_clzll(unsigned long long value)").builtin().between(0, 63),
    pure("int __builtin_ctz(unsigned value)").builtin().between(0, 31),
    pure("int __builtin_ctzl(unsigned long value)").builtin().between(0, 63),
    pure("int __builtin_ctzll(unsigned long long value)").builtin().between(0, 63),
    pure("int __builtin_clrsb(int value)").builtin().between(0, 31),
    pure("int __builtin_clrsbl(long value)").builtin().between(0, 63),
    pure("int __builtin_clrsbll(long long value)").builtin().between(0, 63),
    pure("long __builtin_expect(long value, long likely)")
        .without(Models::EXECUTION)
        .modelled(Models::FORMULA.and(Models::SINGLE_RUN).and(Models::INTERVAL)),
    // gcc's traps end the program by a signal. What follows `__builtin_unreachable` is undefined; stopping there is the one
    // behaviour that cannot reach an error which is not there.
    ends("void __builtin_trap(void)").builtin().modelled(Models::SINGLE_RUN),
    ends("void __builtin_unreachable(void)").builtin(),
    // Lowered for each type; what is left are the forms for one.
    pure("int __builtin_isnormalf(float value)").between(0, 1),
    pure("int __builtin_isfinitef(float value)").between(0, 1),
    pure("int __builtin_isinf_signf(float value)").between(-1, 1),
    pure("int __builtin_signbit(double value)"),
    pure("int __builtin_signbitf(float value)"),
    stateful("void *alloca(size_t size)")
        .allocates(&[0], Life::Frame)
        .without(Models::EXECUTION)
        .modelled(Models::FORMULA.and(Models::SINGLE_RUN))
        .implicit(),
    // Where the stack is does not matter to those who take each allocation for an object of its own.
    stateful("void *__builtin_stack_save(void)").without(Models::EXECUTION),
    stateful("void __builtin_stack_restore(void *place)").without(Models::EXECUTION).with(Effects::OUTSIDE),
];
