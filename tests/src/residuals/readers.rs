//! The readers of printed residual programs: gcc, our own front end, and Frama-C. Residual programs are for any tool
//! that reads C, so one that a reader rejects is wrong.

use std::io::Write;
use std::process::{Command, Stdio};
use tandem::frontend::load;
use tandem_plugin_api::program::{DataModel, PrintOptions, Program};

/// The readers that reject the printed program.
pub fn unread(program: &Program, frama_c: bool) -> Vec<String> {
    let model = program.types.model;
    let text = program.to_c(&PrintOptions { line_directives: true, ..PrintOptions::default() });
    let mut unread = Vec::new();
    let (bits, machine) = if model == DataModel::Lp64 { ("-m64", "gcc_x86_64") } else { ("-m32", "gcc_x86_32") };
    if !accepts("gcc", &["-w", "-fsyntax-only", bits, "-x", "c", "-"], &text) {
        unread.push("gcc does not compile it".to_string());
    }
    // The others get a file, as they do from a user.
    let Ok(folder) = tempfile::tempdir() else { return vec!["there is no place for it".to_string()] };
    let file = folder.path().join("residual.c");
    if let Err(why) = std::fs::write(&file, text) {
        return vec![format!("it cannot be written: {why}")];
    }
    if let Err(why) = load(&file, model) {
        unread.push(format!("our front end does not read it: {why}"));
    }
    // Programs may have functions that are macros in the library.
    let arguments = ["-machdep", machine, "-kernel-warn-key", "CERT:MSC:38=inactive", &file.to_string_lossy()];
    if frama_c && !accepts("frama-c", &arguments, "") {
        unread.push("Frama-C does not read it".to_string());
    }
    unread
}

/// Whether the command accepts the text on its standard input.
fn accepts(program: &str, arguments: &[&str], text: &str) -> bool {
    let child =
        Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return false };
    let written = child.stdin.take().is_some_and(|mut pipe| pipe.write_all(text.as_bytes()).is_ok());
    written && child.wait().is_ok_and(|status| status.success())
}
