//! Tells the linker where the programs and tests of this crate find Z3's library.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for place in ["$ORIGIN/../../third_party/z3/lib", "$ORIGIN/../../../third_party/z3/lib"] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{place}");
    }
}
