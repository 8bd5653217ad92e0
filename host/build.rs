//! Embeds every file of `configs/` and `configs/tools/` in the binary, so that built-in configurations work from any directory.
//! A new system is a new file there: nothing else has to be edited.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    // Where the binary and the tests find Z3's library: in the build directory, in the installation, and where it was
    // when it was built, for a copied binary.
    let built = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../third_party/z3/lib");
    let beside =
        ["$ORIGIN/../../third_party/z3/lib", "$ORIGIN/../../../third_party/z3/lib", "$ORIGIN", "$ORIGIN/../lib"];
    for place in beside.iter().map(Path::new).chain([built.as_path()]) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{}", place.display());
    }
    let configs = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../configs");
    println!("cargo::rerun-if-changed={}", configs.display());
    let mut code = String::from("&[\n");
    for prefix in ["", "tools/"] {
        let folder = configs.join(prefix);
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
        files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        files.sort();
        for path in files {
            println!("cargo::rerun-if-changed={}", path.display());
            let name = prefix.to_string() + &path.file_stem().unwrap_or_default().to_string_lossy();
            code.push_str(&format!("    ({name:?}, include_str!({:?})),\n", path.canonicalize()?));
        }
    }
    code.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("builtin_configs.rs"), code)
}
