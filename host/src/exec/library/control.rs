//! Functions that end the run.

use super::model::{Effects, Model};
use super::{Call, Stop};

const ENDS: Effects = Effects::NEVER_RETURNS;

pub const MODELS: &[Model] = &[
    // gcc's traps end the program by a signal too. What follows `__builtin_unreachable` is undefined; stopping there is
    // the one behaviour that cannot reach an error which is not there.
    Model::new("void abort(void)", ENDS, abort).also(&["__builtin_trap", "__builtin_unreachable"]),
    Model::new("void exit(int)", ENDS, exit).also(&["_exit", "_Exit", "quick_exit"]),
    Model::new("void __assert_fail(const char *text, const char *file, unsigned, const char *function)", ENDS, abort),
    Model::new("void __assert(const char *text, const char *file, int)", ENDS, abort),
    Model::new("void __assert_perror_fail(int, const char *file, unsigned, const char *function)", ENDS, abort),
    Model::new("void __assert_rtn(const char *function, const char *file, int, const char *text)", ENDS, abort),
    Model::new("void __assert_func(const char *file, int, const char *function, const char *text)", ENDS, abort),
    Model::new("void _assert(const char *text, const char *file, unsigned)", ENDS, abort),
    Model::new("void __stack_chk_fail(void)", ENDS, abort).also(&["__chk_fail", "__fortify_fail"]),
    Model::new("int *__errno_location(void)", Effects::KEEPS_STATE, errno_location),
];

fn abort(_: &mut Call<'_>) -> Result<u64, Stop> {
    Err(Stop::Abort)
}

fn exit(call: &mut Call<'_>) -> Result<u64, Stop> {
    Err(Stop::Exit(call.int(0)?))
}

fn errno_location(call: &mut Call<'_>) -> Result<u64, Stop> {
    call.errno_cell()
}
