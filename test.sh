#!/usr/bin/env bash
# Passes the tests: format, build, unit and whole-program tests, lints. One profile, so that nothing is built twice.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/prepare.sh

if cargo fmt --version >/dev/null 2>&1; then
    say "checking the format"
    cargo fmt --all --check
else
    say "rustfmt is missing: the format is not checked"
fi

say "building the host and all plugins"
cargo build --release --locked --workspace

say "running the tests"
cargo test --release --locked --workspace "$@"

if cargo clippy --version >/dev/null 2>&1; then
    say "checking the lints"
    cargo clippy --release --locked --workspace --all-targets -- -D warnings
else
    say "clippy is missing: the lints are not checked"
fi
