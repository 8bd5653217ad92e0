# Sourced by setup.sh and test.sh: installs missing packages and Rust, and puts cargo on the PATH.
# Works as root, with sudo, or with neither where nothing is missing. A missing optional package never stops it.

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

# `tandem cfa --format svg` uses it.
want_graphviz() {
    if ! command -v dot >/dev/null; then
        say "installing graphviz"
        install_packages graphviz || say "graphviz is missing: tandem cfa --format svg will not work"
    fi
}

# For tests of the tool-info module only. In a virtual environment, since the system's Python must not be changed.
want_benchexec() {
    if ! target/benchexec/bin/python3 -c 'import benchexec' 2>/dev/null; then
        say "installing BenchExec"
        mkdir -p target
        { python3 -m venv target/benchexec && target/benchexec/bin/pip install -q benchexec==3.35; } >/dev/null 2>&1 ||
            say "BenchExec is missing: tests with it are left out"
    fi
}

# Z3, the SMT solver: the library of a pinned release, taken from its Python package, in third_party/z3.
z3_version=5.3.2.0
z3_sha256=f17df07300228a383470d4b4e1ad9daf429dc94885996712a1844a8242803935
z3_wheel="z3_solver-$z3_version-py3-none-manylinux_2_27_x86_64.whl"

z3_is_there() { [ "$(cat third_party/z3/version 2>/dev/null)" = "$z3_version" ]; }

# From PyPI by pip, or by its plain address where there is no pip.
download_z3() {
    if command -v pip3 >/dev/null &&
        pip3 download -q --no-deps --only-binary :all: --platform manylinux_2_27_x86_64 -d "$1" "z3-solver==$z3_version" >&2; then
        return
    fi
    command -v curl >/dev/null || install_packages curl ca-certificates || return 1
    local page
    page=$(curl -sSfL "${PIP_INDEX_URL:-https://pypi.org/simple}/z3-solver/") || return 1
    curl -sSfL -o "$1/$z3_wheel" "$(grep -o "https://[^\"#]*$z3_wheel" <<<"$page" | head -n 1)"
}

unpack_z3() {
    echo "$z3_sha256  $1/$z3_wheel" | sha256sum --check --quiet >&2 || return 1
    command -v unzip >/dev/null || install_packages unzip || return 1
    unzip -q -o "$1/$z3_wheel" 'z3/lib/*' 'z3/include/*' -d "$1" || return 1
    rm -rf third_party/z3
    mkdir -p third_party
    cp -r "$1/z3" third_party/z3
    # The package holds the library twice, under both its names.
    local library
    for library in third_party/z3/lib/libz3.so.*; do
        ln -sf "$(basename "$library")" third_party/z3/lib/libz3.so
    done
    printf 'prefix=${pcfiledir}\nName: z3\nDescription: Z3\nVersion: %s\nCflags: -I${prefix}/include\nLibs: -L${prefix}/lib -lz3\n' \
        "$z3_version" >third_party/z3/z3.pc
    echo "$z3_version" >third_party/z3/version
}

need_z3() {
    z3_is_there && return
    say "fetching Z3 $z3_version"
    local work
    work=$(mktemp -d)
    if ! { download_z3 "$work" && unpack_z3 "$work"; }; then
        say "Z3 $z3_version could not be fetched: the system's libz3 is used instead"
        install_packages libz3-dev || { say "libz3 is missing and could not be installed: install libz3-dev by hand"; exit 1; }
    fi
    rm -rf "$work"
}

need_pkg_config() {
    command -v pkg-config >/dev/null || install_packages pkg-config || { say "pkg-config is missing: install it by hand"; exit 1; }
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
need_pkg_config
need_z3
need_rust
