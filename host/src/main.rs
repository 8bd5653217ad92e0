//! The `tandem` executable: hands the command line to `tandem::cli`, unless it was started again to do a part of the work.

fn main() {
    tandem::process::can_be_started_again();
    tandem::smt::horn::serve_if_asked();
    tandem::cli::serve_actor_if_asked();
    tandem::cli::main()
}
