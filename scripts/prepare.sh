# Sourced by setup.sh and test.sh: installs what is missing of the system's packages and Rust, and puts cargo on the PATH.
# Works as root, with sudo, or with neither where nothing is missing. What is optional never stops it.

minimal_rust=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)

say() { printf '==> %s\n' "$*" >&2; }

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; elif command -v sudo >/dev/null; then sudo "$@"; else return 1; fi
}

# install_packages PACKAGE...: with apt, quietly.
install_packages() {
    command -v apt-get >/dev/null || return 1
    if [ -z "${package_lists_updated:-}" ]; then
        as_root apt-get update -qq >&2 || return 1
        package_lists_updated=1
    fi
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2
}

# A C compiler links Rust programs and preprocesses C files with #include.
need_compiler() {
    if ! echo 'int main(void) { return 0; }' | gcc -x c - -o /dev/null 2>/dev/null; then
        say "installing gcc"
        install_packages gcc libc6-dev || { say "gcc is missing and could not be installed: install it by hand"; exit 1; }
    fi
}

# 32-bit programs (data model ILP32) can only be compiled, and so tested against gcc, with these headers.
want_multilib() {
    if [ "$(uname -m)" = x86_64 ] && ! echo '#include <stdlib.h>
int main(void) { return 0; }' | gcc -m32 -x c - -o /dev/null 2>/dev/null; then
        say "installing gcc-multilib"
        install_packages gcc-multilib || say "gcc-multilib is missing: tests that compile 32-bit programs are left out"
    fi
}

# `tandem cfa --format svg` draws with it.
want_graphviz() {
    if ! command -v dot >/dev/null; then
        say "installing graphviz"
        install_packages graphviz || say "graphviz is missing: tandem cfa --format svg will not work"
    fi
}

rust_is_new_enough() {
    local version
    version=$(cargo --version 2>/dev/null | cut -d' ' -f2)
    [ -n "$version" ] && [ "$(printf '%s\n' "$minimal_rust" "$version" | sort -V | head -n 1)" = "$minimal_rust" ]
}

# The official installer, from either of its addresses.
rustup_script() {
    curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs ||
        curl --proto '=https' --tlsv1.2 -sSf https://static.rust-lang.org/rustup/rustup-init.sh
}

install_rust() {
    say "installing Rust ($minimal_rust or newer is needed)"
    if ! command -v rustup >/dev/null && ! install_packages rustup 2>/dev/null; then
        command -v curl >/dev/null || install_packages curl ca-certificates || true
        rustup_script | RUSTUP_INIT_SKIP_PATH_CHECK=yes sh -s -- -y -q --no-modify-path --profile minimal --component clippy --component rustfmt >&2
        hash -r
        return
    fi
    rustup toolchain install stable --profile minimal --component clippy --component rustfmt >&2
    rustup default stable >&2
}

need_rust() {
    export PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
    rust_is_new_enough || install_rust || true
    rust_is_new_enough || { say "Rust $minimal_rust or newer could not be installed: see https://rustup.rs"; exit 1; }
}

need_compiler
want_multilib
want_graphviz
need_rust
