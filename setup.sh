#!/usr/bin/env bash
# Installs missing packages, builds the host and all plugins, and verifies an example program.
set -euo pipefail
cd "$(dirname "$0")"
. scripts/prepare.sh

say "building the host and all plugins"
cargo build --release --locked --workspace

say "verifying examples/traffic-light.yml"
target/release/tandem verify examples/traffic-light.yml
