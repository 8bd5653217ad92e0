//! The `tandem` executable: hands the command line to `tandem::cli`.

fn main() -> std::process::ExitCode {
    tandem::cli::main()
}
