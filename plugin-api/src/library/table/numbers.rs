//! Numbers from text, absolute values, bits, and pseudo-random numbers.

use super::super::effects::{Effects, Folding, Models};
use super::super::entry::{Entry, pure, reads, stateful};

const LARGEST: i64 = i32::MAX as i64;

pub const FUNCTIONS: &[Entry] = &[
    pure("int abs(int x)")
        .implicit()
        .folding(Folding::Every)
        .promises()
        .modelled(Models::FORMULA.and(Models::INTERVAL)),
    pure("long labs(long x)")
        .implicit()
        .folding(Folding::Every)
        .promises()
        .modelled(Models::FORMULA.and(Models::INTERVAL)),
    pure("long long llabs(long long x)")
        .implicit()
        .folding(Folding::Every)
        .promises()
        .modelled(Models::FORMULA.and(Models::INTERVAL)),
    pure("intmax_t imaxabs(intmax_t x)").promises().modelled(Models::INTERVAL),
    pure("int ffs(int value)").between(0, 32).implicit().folding(Folding::Any).promises(),
    pure("int ffsl(long value)").between(0, 64).implicit().folding(Folding::Any).promises(),
    pure("int ffsll(long long value)").between(0, 64).implicit().folding(Folding::Any).promises(),
    pure("div_t div(int a, int b)").without(Models::EXECUTION).modelled(Models::C_TEXT),
    pure("ldiv_t ldiv(long a, long b)").without(Models::EXECUTION).modelled(Models::C_TEXT),
    pure("lldiv_t lldiv(long long a, long long b)").without(Models::EXECUTION).modelled(Models::C_TEXT),
    pure("imaxdiv_t imaxdiv(intmax_t a, intmax_t b)").without(Models::EXECUTION).modelled(Models::C_TEXT),
    reads("int atoi(const char *text)").with(Effects::SETS_ERRNO),
    reads("long atol(const char *text)").with(Effects::SETS_ERRNO),
    reads("long long atoll(const char *text)").with(Effects::SETS_ERRNO),
    reads("double atof(const char *text)").with(Effects::SETS_ERRNO),
    reads("long strtol(const char *text, char **end, int base)").with(Effects::SETS_ERRNO).writes_object(1),
    reads("unsigned long strtoul(const char *text, char **end, int base)").with(Effects::SETS_ERRNO).writes_object(1),
    reads("long long strtoll(const char *text, char **end, int base)")
        .also(&["strtoq"])
        .with(Effects::SETS_ERRNO)
        .writes_object(1),
    reads("intmax_t strtoimax(const char *text, char **end, int base)").with(Effects::SETS_ERRNO).writes_object(1),
    reads("unsigned long long strtoull(const char *text, char **end, int base)")
        .also(&["strtouq"])
        .with(Effects::SETS_ERRNO)
        .writes_object(1),
    reads("uintmax_t strtoumax(const char *text, char **end, int base)").with(Effects::SETS_ERRNO).writes_object(1),
    reads("double strtod(const char *text, char **end)").with(Effects::SETS_ERRNO).writes_object(1),
    reads("float strtof(const char *text, char **end)").with(Effects::SETS_ERRNO).writes_object(1),
    reads("long double strtold(const char *text, char **end)")
        .with(Effects::SETS_ERRNO)
        .writes_object(1)
        .without(Models::EXECUTION),
    stateful("int rand(void)").between(0, LARGEST),
    stateful("long random(void)").between(0, LARGEST),
    stateful("void srand(unsigned seed)").also(&["srandom"]),
    reads("int rand_r(unsigned *seed)").writes_object(0).between(0, LARGEST),
];
