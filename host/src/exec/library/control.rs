//! Functions that end the run.

use super::model::Model;
use super::{Call, Stop};

pub const MODELS: &[Model] = &[
    // gcc's traps end the program by a signal too. What follows `__builtin_unreachable` is undefined; stopping there is
    // the one behaviour that cannot reach an error which is not there.
    Model::new("abort", abort).also(&["__builtin_trap", "__builtin_unreachable"]),
    Model::new("exit", exit).also(&["_exit", "_Exit", "quick_exit"]),
    Model::new("__assert_fail", abort),
    Model::new("__assert", abort),
    Model::new("__assert_perror_fail", abort),
    Model::new("__assert_rtn", abort),
    Model::new("__assert_func", abort),
    Model::new("_assert", abort),
    Model::new("__stack_chk_fail", abort).also(&["__chk_fail", "__fortify_fail"]),
    Model::new("__errno_location", errno_location),
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
