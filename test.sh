#!/usr/bin/env bash
# Runs the tests: format, build, unit and whole-program tests, lints. One profile, so that nothing is built twice.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/prepare.sh

# Reports are tested in a real browser.
if ! command -v chromium >/dev/null; then
    say "installing chromium"
    install_packages chromium || say "chromium is missing: tests that look at pages in a browser are left out"
fi

# Tools that run as actors are tested themselves.
command -v frama-c >/dev/null || install_packages frama-c-base || say "Frama-C is missing: tests that run it are left out"
command -v afl-fuzz >/dev/null || install_packages afl++ || say "AFL++ is missing: tests that run it are left out"

if cargo fmt --version >/dev/null 2>&1; then
    say "checking the format"
    cargo fmt --all --check
else
    say "rustfmt is missing: the format is not checked"
fi

if cargo deny --version >/dev/null 2>&1; then
    say "checking licences, sources and duplicates of dependencies"
    cargo deny --offline check bans licenses sources
else
    say "cargo-deny is missing: dependencies are not checked"
fi

say "building the host and all plugins"
cargo build --release --locked --workspace

want_benchexec

say "running the tests"
cargo test --release --locked --workspace "$@"

if cargo clippy --version >/dev/null 2>&1; then
    say "checking the lints"
    cargo clippy --release --locked --workspace --all-targets -- -D warnings
else
    say "clippy is missing: the lints are not checked"
fi
