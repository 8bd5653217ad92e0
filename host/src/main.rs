//! The `tandem` executable: hands the command line to `tandem::cli`, unless it was started again to solve clauses.

fn main() -> std::process::ExitCode {
    match tandem::smt::horn::serve_if_asked() {
        Some(status) => status,
        None => tandem::cli::main(),
    }
}
