//! Rules of the source tree that the compiler does not check: layers, file headers, file sizes, words in sentences, where
//! `unsafe` may stand, and that the commands of the README exist.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use tandem_tests::command::{root, tandem};

/// All tracked kinds of files below the root, without build output.
fn files(extension: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![root()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                if !name.starts_with('.') && !["target", "third_party", "out"].contains(&name.as_str()) {
                    open.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                found.push((relative(&path), text));
            }
        }
    }
    found.sort();
    found
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// Fails with all complaints at once.
fn expect_none(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Lines of code, without comments and texts of documentation, numbered from 1.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let code = |line: &'_ str| line.find("//").unwrap_or(line.len());
    text.lines().enumerate().map(move |(at, line)| (at + 1, &line[..code(line)]))
}

#[test]
fn every_file_says_what_it_is_for() {
    let rust = files("rs");
    assert!(rust.len() > 20, "the sources are missing");
    expect_none(
        rust.iter()
            .filter(|(_, text)| !text.starts_with("//! "))
            .map(|(path, _)| format!("{path}: does not begin with `//!` and what the file is for"))
            .collect(),
    );
}

#[test]
fn files_are_short() {
    let lines = |text: &str| text.lines().count();
    expect_none(
        files("rs")
            .iter()
            .filter(|(_, text)| lines(text) >= 600)
            .map(|(path, text)| format!("{path}: {} lines; two concepts want two files", lines(text)))
            .collect(),
    );
}

#[test]
fn nothing_is_left_to_do() {
    // Put together here, so that this file does not find itself.
    let forbidden =
        [["todo", "!("], ["unimplemented", "!("], ["#[ig", "nore"], ["FIX", "ME"], ["X", "XX"]].map(|p| p.concat());
    let mut complaints = Vec::new();
    for (path, text) in files("rs") {
        for (at, line) in text.lines().enumerate() {
            if let Some(found) = forbidden.iter().find(|pattern| line.contains(pattern.as_str())) {
                complaints.push(format!("{path}:{}: `{found}`", at + 1));
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn sentences_name_their_subjects() {
    // Put together here, so that this file does not find itself.
    let forbidden = [["Who", "ever"], ["who", "ever"], ["No", "body"], ["no", "body"]].map(|parts| parts.concat());
    let mut complaints = Vec::new();
    for (path, text) in ["rs", "md", "toml", "c", "h", "js", "sh", "py"].into_iter().flat_map(files) {
        for (at, line) in text.lines().enumerate() {
            let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if let Some(word) = words.find(|word| forbidden.iter().any(|other| other == word)) {
                complaints.push(format!(
                    "{path}:{}: `{word}`: write a plain sentence that names the function, type or user (\"the caller frees \
                     it\"), or that says unused, undefined or unknown",
                    at + 1
                ));
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn unsafe_code_stays_at_the_plugin_boundary() {
    let allowed = ["plugin-api/src/abi/", "host/src/plugins/", "host/src/exec/", "host/src/process/", "tests/abi/"];
    // Put together here, so that this file does not find itself.
    let patterns = ["{", "fn ", "impl ", "extern "].map(|form| format!("{} {form}", ["un", "safe"].concat()));
    let attribute = ["[un", "safe("].concat();
    let mut complaints = Vec::new();
    for (path, text) in files("rs") {
        let lines: Vec<&str> = text.lines().collect();
        let at_boundary = allowed.iter().any(|folder| path.starts_with(folder));
        for (at, line) in code_lines(&text) {
            // The export macro must name symbols, which is an attribute of this kind and no code.
            let names_symbol = line.contains(&attribute) && path != "plugin-api/src/export.rs";
            let unsafe_code = patterns.iter().any(|pattern| line.contains(pattern.as_str()));
            if (unsafe_code || names_symbol) && !at_boundary {
                complaints.push(format!("{path}:{at}: unsafe code outside {allowed:?}"));
            } else if unsafe_code && !explained(&lines, at - 1) {
                complaints.push(format!("{path}:{at}: unsafe code without a SAFETY reason before it"));
            }
        }
    }
    expect_none(complaints);
}

/// Whether a comment within the few lines above (or a `# Safety` section) says why.
fn explained(lines: &[&str], at: usize) -> bool {
    lines[at.saturating_sub(12)..=at].iter().any(|line| line.contains("SAFETY") || line.contains("# Safety"))
}

/// Names of the workspace's own crates that a manifest depends on, in any section.
fn own_dependencies(manifest: &toml::Table) -> Vec<String> {
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
    tables.flat_map(|table| table.keys()).filter(|name| name.starts_with("tandem")).cloned().collect()
}

#[test]
fn crates_depend_only_downwards() {
    let mut complaints = Vec::new();
    let mut plugins = 0;
    for (path, text) in files("toml").into_iter().filter(|(path, _)| path.ends_with("Cargo.toml")) {
        let manifest: toml::Table = text.parse().unwrap_or_else(|error| panic!("{path}: {error}"));
        let allowed: &[&str] = match path.split('/').next() {
            Some("Cargo.toml" | "tests") => continue,
            Some("plugin-api") => &[],
            Some("host" | "plugins") => &["tandem-plugin-api"],
            _ => panic!("{path}: a crate outside plugin-api, host, plugins and tests"),
        };
        plugins += usize::from(path.starts_with("plugins/"));
        for name in own_dependencies(&manifest).iter().filter(|name| !allowed.contains(&name.as_str())) {
            complaints.push(format!("{path}: depends on {name}; allowed: {allowed:?}"));
        }
    }
    assert!(plugins > 0, "no plugins were found");
    expect_none(complaints);
}

/// The host's modules in the order of `lib.rs`, which is the order in which data flows.
fn module_order() -> Vec<String> {
    let text = fs::read_to_string(root().join("host/src/lib.rs")).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';'));
    names.map(str::to_string).collect()
}

/// What each module of the host may use of the others. A module that is not here uses none.
const ALLOWED: [(&str, &[&str]); 20] = [
    ("process", &["diagnostic"]),
    ("artifact", &["diagnostic"]),
    ("frontend", &["diagnostic", "process"]),
    ("exec", &[]),
    ("smt", &["process", "frontend"]),
    ("replay", &["frontend", "exec"]),
    ("opinion", &["process", "frontend", "exec", "replay"]),
    ("services", &["frontend", "exec", "smt", "replay"]),
    ("verdict", &["opinion"]),
    ("coverage", &["artifact", "frontend", "exec", "replay"]),
    ("conversion", &["diagnostic", "artifact", "frontend", "exec", "replay", "services", "coverage"]),
    ("plugins", &["diagnostic"]),
    ("cpa", &["replay", "verdict"]),
    (
        "compose",
        &[
            "diagnostic",
            "process",
            "artifact",
            "frontend",
            "replay",
            "opinion",
            "services",
            "verdict",
            "plugins",
            "cpa",
        ],
    ),
    (
        "validate",
        &[
            "diagnostic",
            "artifact",
            "frontend",
            "instrument",
            "exec",
            "replay",
            "services",
            "conversion",
            "plugins",
            "cpa",
            "compose",
        ],
    ),
    ("report", &["artifact", "frontend", "exec", "replay", "coverage", "cpa", "compose"]),
    ("soundness", &["frontend", "instrument", "exec", "services", "plugins", "cpa"]),
    ("experiment", &["diagnostic", "process", "artifact", "compose"]),
    // It knows the command line: nothing of how programs are executed, explored or encoded.
    (
        "cli",
        &[
            "diagnostic",
            "process",
            "artifact",
            "frontend",
            "smt",
            "opinion",
            "services",
            "verdict",
            "coverage",
            "conversion",
            "plugins",
            "compose",
            "validate",
            "report",
            "soundness",
            "experiment",
        ],
    ),
    ("instrument", &[]),
];

/// The modules of the crate that a file uses, each with a line: `crate::a`, `crate::{a, b::{c, d}}` over several lines, and `super::a`
/// where that leads to the root of the crate.
fn used_modules(below: &str, text: &str) -> Vec<(usize, String)> {
    let code: String = code_lines(text).map(|(_, line)| format!("{line}\n")).collect();
    let tests = code.find("#[cfg(test)]\nmod ").unwrap_or(code.len());
    let depth = below.matches('/').count() + usize::from(!below.ends_with("/mod.rs"));
    let mut used = Vec::new();
    for root in ["crate::".to_string(), "super::".repeat(depth), "super::".repeat(depth + 1)] {
        for (at, _) in code.match_indices(&root) {
            let before = code[..at].chars().next_back().unwrap_or(' ');
            let is_root = match root.as_str() {
                "crate::" => !before.is_alphanumeric() && before != '_',
                // The module of tests is one level deeper.
                chain => before != ':' && chain.len() == "super::".len() * (depth + usize::from(at > tests)),
            };
            if is_root {
                let line = code[..at].matches('\n').count() + 1;
                used.extend(first_names(&code[at + root.len()..]).into_iter().map(|name| (line, name)));
            }
        }
    }
    used
}

/// The first name of a path, or of each path in a group.
fn first_names(path: &str) -> Vec<String> {
    let name = |text: &str| text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(group) = path.strip_prefix('{') else { return vec![name(path)] };
    let (mut open, mut names, mut start) = (0, Vec::new(), 0);
    for (at, c) in group.char_indices() {
        match c {
            '{' => open += 1,
            '}' if open == 0 => {
                names.push(name(&group[start..at]));
                break;
            }
            '}' => open -= 1,
            ',' if open == 0 => {
                names.push(name(&group[start..at]));
                start = at + 1;
            }
            _ => {}
        }
    }
    // Behind a comma at the end there is none.
    names.retain(|name: &String| !name.is_empty());
    names
}

#[test]
fn uses_of_modules_are_seen_in_all_forms() {
    let found = |below: &str, text: &str| {
        let mut names: Vec<String> = used_modules(below, text).into_iter().map(|(_, name)| name).collect();
        names.sort();
        names.join(" ")
    };
    assert_eq!(found("a/b.rs", "use crate::x::y;\nlet a = crate::z::f(); // crate::no\n"), "x z");
    assert_eq!(found("a/b.rs", "use crate::{\n    x,\n    y::{self, q, r::{s, t}},\n    z::U,\n};\n"), "x y z");
    assert_eq!(found("a/b.rs", "use super::super::x::Y;\nuse super::z;\n"), "x");
    assert_eq!(found("a/mod.rs", "use super::{x, y};\nuse other_crate::z;\n"), "x y");
    assert_eq!(found("a.rs", "#[cfg(test)]\nmod tests {\n    use super::x;\n    use super::super::y;\n}\n"), "y");
}

#[test]
fn modules_of_the_host_use_what_the_table_allows() {
    let order = module_order();
    assert!(order.len() > 4, "{order:?}");
    let place = |name: &str| order.iter().position(|known| known == name);
    let mut complaints = Vec::new();
    for (module, allowed) in ALLOWED {
        for other in allowed.iter().filter(|other| place(other) >= place(module)) {
            complaints.push(format!("the table lets {module} use {other}, which does not come before it in lib.rs"));
        }
    }
    let mut seen: Vec<(String, String)> = Vec::new();
    for (path, text) in files("rs") {
        let Some(below) = path.strip_prefix("host/src/") else { continue };
        let own = below.split(['/', '.']).next().unwrap_or_default();
        if place(own).is_none() {
            continue;
        }
        let allowed = ALLOWED.iter().find(|(module, _)| *module == own).map_or(&[][..], |(_, allowed)| allowed);
        for (line, other) in used_modules(below, &text).into_iter().filter(|(_, other)| place(other).is_some()) {
            if other != own && !allowed.contains(&other.as_str()) {
                complaints
                    .push(format!("{path}:{line}: {own} uses {other}, which the table in this test does not allow"));
            }
            seen.push((own.to_string(), other));
        }
    }
    for (module, allowed) in ALLOWED {
        let is_used = |other: &str| seen.iter().any(|(one, used)| one == module && used == other);
        let needless = allowed.iter().filter(|other| !is_used(other));
        complaints.extend(needless.map(|other| format!("the table lets {module} use {other}, which it does not use")));
    }
    expect_none(complaints);
}

/// The part of a file before its tests.
fn without_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod ").next().unwrap_or(text)
}

#[test]
fn verdicts_are_made_in_one_place() {
    let mut complaints = Vec::new();
    for (path, text) in files("rs").iter().filter(|(path, _)| path.starts_with("host/src/")) {
        if path == "host/src/verdict.rs" || path.ends_with("/tests.rs") {
            continue;
        }
        for (at, line) in code_lines(without_tests(text)) {
            // Patterns of a `match` look at a verdict, and make none.
            let made = line.rsplit("=>").next().unwrap_or(line);
            if ["Verdict::True", "Verdict::False"].iter().any(|verdict| made.contains(verdict)) {
                complaints.push(format!("{path}:{at}: makes a verdict; host/src/verdict.rs has the rules"));
            }
        }
    }
    expect_none(complaints);
}

#[test]
fn plugins_get_their_services_from_one_place() {
    let home = "host/src/services/mod.rs";
    let (host, line) = ("host/src/", "Services for ");
    let elsewhere = files("rs").into_iter().filter(|(path, _)| path.starts_with(host) && path != home);
    let implement = elsewhere.filter(|(_, text)| without_tests(text).contains(&format!("impl {line}")));
    expect_none(
        implement.map(|(path, _)| format!("{path}: implements the services of plugins; {home} does")).collect(),
    );
}

/// Lines of the README's shell blocks, without comments and prompts.
fn readme_commands() -> Vec<String> {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let mut inside = false;
    let mut commands = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = line.trim_start() == "```sh";
        } else if inside && !line.trim().is_empty() && !line.trim_start().starts_with('#') {
            commands.push(line.split(" # ").next().unwrap_or(line).trim().to_string());
        }
    }
    commands
}

#[test]
fn commands_of_the_readme_exist() {
    let commands = readme_commands();
    assert!(commands.iter().any(|command| command == "./setup.sh"), "{commands:?}");
    assert!(commands.iter().any(|command| command == "./test.sh"), "{commands:?}");
    let mut complaints = Vec::new();
    for command in commands {
        let mut words = command.split_whitespace();
        let program = words.next().unwrap_or_default();
        let words: Vec<&str> = words.collect();
        if program.ends_with("tandem") {
            let depth = if matches!(words.first(), Some(&"plugins" | &"configs")) { 2 } else { 1 };
            let arguments = words.iter().take(depth).chain([&"--help"]);
            if tandem(arguments).code() != Some(0) {
                complaints.push(format!("`{command}`: no such subcommand"));
            }
        } else if program.starts_with("./") && !root().join(program).is_file() {
            complaints.push(format!("`{command}`: no such script"));
        }
        let named = words.iter().filter(|word| word.starts_with("examples/") || word.starts_with("configs/"));
        complaints.extend(
            named.filter(|file| !root().join(file).exists()).map(|file| format!("`{command}`: {file} is missing")),
        );
    }
    expect_none(complaints);
}

#[test]
fn the_usual_files_are_there() {
    let wanted = ["README.md", "ARCHITECTURE.md", "CHANGELOG.md", "LICENSE", "setup.sh", "test.sh", ".ci/run"];
    let missing: Vec<PathBuf> = wanted.iter().map(|name| root().join(name)).filter(|path| !path.is_file()).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
