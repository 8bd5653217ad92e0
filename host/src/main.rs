//! The `tandem` executable: hands the command line to `tandem::cli`, unless it was started again to do a part of the work.

use std::process::ExitCode;

fn main() -> ExitCode {
    tandem::process::can_be_started_again();
    tandem::smt::horn::serve_if_asked().or_else(tandem::cli::serve_actor_if_asked).unwrap_or_else(tandem::cli::main)
}
