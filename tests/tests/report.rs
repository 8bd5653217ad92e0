//! Reports in a real browser: their contents, that they can be used by keyboard and on small screens, and that nothing
//! in a program becomes code in them. Also compares the values of steps with those that gcc's build of the program
//! prints.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use tandem::frontend::load_text;
use tandem::report::trace::follow;
use tandem_plugin_api::artifact::{InputValue, TestCase};
use tandem_plugin_api::program::DataModel;
use tandem_plugin_api::task::{Property, Task};
use tandem_tests::browser::{self, Browser};
use tandem_tests::command::{root, run, tandem};

const VIOLATION: &str = "extern int __VERIFIER_nondet_int(void);\nextern void abort(void);\n\
    void reach_error(void) { abort(); }\nint calls;\nint twice(int a) {\n  calls++;\n  return 2 * a;\n}\n\
    int main(void) {\n  int x = __VERIFIER_nondet_int();\n  int y = 0;\n  if (x == 7) {\n    y = twice(x);\n    y = twice(y);\n  }\n\
    if (y == 28)\n    reach_error();\n  return 0;\n}\n";

/// Writes a program, runs `tandem verify` on it, and returns the page.
fn report(folder: &Path, name: &str, text: &str, config: &str) -> PathBuf {
    let (program, page) = (folder.join(name), folder.join("report.html"));
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(&program, text).unwrap();
    verify(&program, &page, config);
    page
}

fn verify(program: &Path, page: &Path, config: &str) {
    let report = format!("--report={}", page.display());
    let ran = tandem(["verify", "-c", config, "--limit", "60s", &report, &program.display().to_string()]);
    assert!(page.is_file(), "{ran:?}");
}

#[test]
fn a_page_that_is_not_named_has_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let (program, output) = (folder.path().join("p.c"), folder.path().join("out"));
    fs::write(&program, VIOLATION).unwrap();
    let page = output.join("report.html");
    for (command, word) in [("verify", "FALSE"), ("test", "branches")] {
        let arguments = ["--report", "--limit", "20s", "-o", output.to_str().unwrap(), program.to_str().unwrap()];
        let ran = tandem([command].into_iter().chain(arguments));
        assert!(fs::read_to_string(&page).is_ok_and(|page| page.contains(word)), "{ran:?}");
        fs::remove_file(&page).unwrap();
    }
    let mut command = Command::new(tandem_tests::command::binary());
    let ran = run(command.args(["verify", "--report", "--limit", "20s", "p.c"]).current_dir(folder.path()));
    assert!(folder.path().join("p.report.html").is_file(), "{ran:?}");
    let nowhere = format!("--report={}", folder.path().join("none/page.html").display());
    let ran = tandem(["verify", &nowhere, program.to_str().unwrap()]);
    assert_eq!((ran.code(), ran.stderr.contains("no such directory")), (Some(2), true), "{ran:?}");
}

/// The variables in sight, as `name=value`.
fn values(browser: &mut Browser) -> String {
    browser.text(
        "[...document.querySelectorAll('#values tbody tr')].map(row => \
         row.cells[0].firstChild.textContent + '=' + row.cells[1].textContent).join(' ')",
    )
}

const LINE: &str = "document.querySelector('.row.here .number').textContent";
const STACK: &str = "[...document.querySelectorAll('#stack button')].map(b => b.textContent).join(' ')";

#[test]
fn a_counterexample_is_stepped_through() {
    let Some(mut browser) = browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    browser.open(&report(folder.path(), "p.c", VIOLATION, "bmc"), 1280, false);
    assert_eq!(browser.text("document.getElementById('badge').textContent"), "FALSE");
    let mut seen = vec![(browser.text(LINE), browser.text(STACK), values(&mut browser))];
    for _ in 0..8 {
        browser.press("ArrowRight");
        seen.push((browser.text(LINE), browser.text(STACK), values(&mut browser)));
    }
    let expected = [
        ("10", "main", "calls=0"),
        ("11", "main", "x=7 calls=0"),
        ("12", "main", "x=7 y=0 calls=0"),
        ("13", "main", "x=7 y=0 calls=0"),
        ("6", "main twice", "a=7 calls=0"),
        ("7", "main twice", "a=7 calls=1"),
        ("14", "main", "x=7 y=14 calls=1"),
        ("6", "main twice", "a=14 calls=1"),
        ("7", "main twice", "a=14 calls=2"),
    ];
    for (seen, expected) in seen.iter().zip(expected) {
        assert_eq!((seen.0.as_str(), seen.1.as_str(), seen.2.as_str()), expected);
    }
    // The caller's variables can be shown; buttons, slider and keys lead to the same places.
    browser.eval("document.querySelector('#stack button').click()");
    assert_eq!(values(&mut browser), "x=7 y=14 calls=2");
    browser.eval("document.querySelector('[aria-label=\"Last step\"]').click()");
    assert_eq!((browser.text(LINE), values(&mut browser)), ("17".into(), "x=7 y=28 calls=2".into()));
    browser.press("Home");
    assert_eq!(browser.text(LINE), "10");
    browser.eval("slider.value = 4; slider.dispatchEvent(new Event('input'))");
    assert_eq!(browser.text(STACK), "main twice");
    assert!(browser.text("document.getElementById('step').textContent").starts_with("Step 5 of 11"));
    assert_eq!(browser.offences(), [""; 0]);
}

/// What a page and a witness call invariants: proven, needed, and the same in both.
#[test]
fn a_proof_tells_the_invariants_that_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let page = path("proof.html");
    let report = format!("--report={page}");
    let ran = tandem(["verify", "--limit", "60s", &report, "-o", &path("out"), "examples/countdown.c"]);
    assert_eq!(ran.stdout, "Verdict: TRUE\n", "{ran:?}");
    let text = fs::read_to_string(&page).unwrap();
    let data = text.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    let invariants = data["source"]["invariants"].as_array().unwrap();
    let mut shown: Vec<&str> = invariants.iter().map(|one| one["expression"].as_str().unwrap()).collect();
    shown.sort_unstable();
    // At the end of the loop, left is 0 only because it is not negative.
    let has = |one: &str, other: &str| shown.contains(&one) || shown.contains(&other);
    assert!(has("left >= 0", "0 <= left") && has("done + left == start", "left + done == start"), "{shown:?}");
    assert_eq!(shown.len(), 2, "{shown:?}");
    let witness = fs::read_to_string(path("out/witness.yml")).unwrap();
    let written = witness.lines().filter_map(|line| line.trim().strip_prefix("value: "));
    let mut written: Vec<&str> = written.map(|value| value.trim_matches('"')).collect();
    written.sort_unstable();
    assert_eq!(written, shown);
    let validated = tandem(["validate", "-w", &path("out/witness.yml"), "examples/countdown.c"]);
    assert_eq!(validated.stdout, "Witness: confirmed\n", "{validated:?}");
}

#[test]
fn a_proof_shows_its_invariants_and_who_worked() {
    let Some(mut browser) = browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("proof.html");
    verify(&root().join("examples/countdown.c"), &page, "default");
    browser.open(&page, 1280, false);
    assert_eq!(browser.text("document.getElementById('badge').textContent"), "TRUE");
    let invariants = "[...document.querySelectorAll('.row.invariant')].map(row => row.textContent).join('\\n')";
    let shown = browser.text(invariants);
    assert!(shown.contains("done + left == start") || shown.contains("left + done == start"), "{shown}");
    // They stand above the loop.
    let next = "(() => { let row = [...document.querySelectorAll('.row.invariant')].pop(); return row.nextSibling.textContent })()";
    assert!(browser.text(next).contains("while (left > 0)"));
    browser.eval("document.getElementById('tab-cooperation').click()");
    assert!(browser.eval("document.querySelectorAll('.lane .work').length").as_u64().unwrap() >= 2);
    browser.eval("document.querySelectorAll('details').forEach(part => { part.open = true })");
    browser.eval("new Promise(done => setTimeout(done, 200))");
    assert!(browser.eval("document.querySelectorAll('#panel-cooperation canvas').length").as_u64().unwrap() >= 1);
    assert_eq!(browser.offences(), [""; 0]);
}

/// Texts of an attacker; a slash would end a file's name, so folders stand for it.
const HOSTILE: [&str; 20] = [
    "</script><script>window.__pwned=1</script>",
    "<img src=x onerror=window.__pwned=1>",
    "<svg onload=window.__pwned=1>",
    "\"><script>window.__pwned=1</script>",
    "'><script>window.__pwned=1</script>",
    "<!--<script>window.__pwned=1</script>-->",
    "<iframe srcdoc=\"<script>parent.__pwned=1</script>\">",
    "javascript:window.__pwned=1",
    "\\u003cscript\\u003ewindow.__pwned=1",
    "&lt;script&gt;window.__pwned=1&lt;/script&gt;",
    "<style>@import 'http://example.org/x.css';</style>",
    "<link rel=stylesheet href=http://example.org/x.css>",
    "<base href=http://example.org/>",
    "<meta http-equiv=refresh content=0;url=http://example.org/>",
    "<form action=http://example.org/><button autofocus onfocus=window.__pwned=1>",
    "<details open ontoggle=window.__pwned=1>",
    "${window.__pwned=1} `${alert(1)}`",
    "{{name}} {{data}} {}",
    "</title><script>alert(1)</script>",
    "\u{202e}<marquee onstart=window.__pwned=1>\u{2028}",
];

#[test]
fn nothing_of_a_program_becomes_code() {
    let Some(mut browser) = browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let comments: String = HOSTILE.iter().map(|text| format!("// {text}\n")).collect();
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    for (number, name) in HOSTILE.iter().enumerate() {
        let literal = quoted(HOSTILE[(number + 7) % HOSTILE.len()]);
        let guard = if number % 2 == 0 { "x == 7" } else { "x * x + 1 == 0" };
        let text = format!(
            "{comments}extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n\
             char text[] = \"{literal}\";\nchar *where = \"{literal}\";\nint x = __VERIFIER_nondet_int();\n\
             if ({guard} && text[0] == where[0])\n    reach_error();\nreturn 0;\n}}\n"
        );
        // Both a verdict with steps, and a reason that names the file.
        let config = if number % 2 == 0 { "bmc" } else { "location" };
        let page = report(&folder.path().join(number.to_string()), &format!("{name}.c"), &text, config);
        browser.open(&page, 1280, false);
        for key in ["End", "Home"] {
            browser.press(key);
        }
        browser.eval("document.querySelectorAll('[role=tab]').forEach(tab => tab.click())");
        browser.eval("document.querySelectorAll('details').forEach(part => { part.open = true })");
        browser.eval("document.querySelectorAll('[role=tabpanel]').forEach(panel => { panel.hidden = false })");
        browser.eval("new Promise(done => setTimeout(done, 30))");
        assert_eq!(browser.eval("window.__pwned === undefined"), Value::Bool(true), "{name}");
        assert_eq!(browser.offences(), [""; 0], "{name}");
        assert_eq!(
            browser.eval("document.querySelectorAll('img,iframe,svg,link,base,form,marquee').length"),
            0,
            "{name}"
        );
        // The text is there, as text.
        let line = browser.text(&format!("document.querySelector('#L{} .text').textContent", number + 1));
        assert_eq!(line, format!("// {name}"));
        let file = browser.text("[...document.querySelectorAll('dd')][0].textContent");
        assert!(file.ends_with(&format!("{name}.c")), "{file}");
    }
}

#[test]
fn everything_can_be_reached_by_keyboard_and_on_small_screens() {
    let Some(mut browser) = browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = [
        (
            "violation",
            report(
                &folder.path().join("a"),
                "a-program-with-a-rather-long-name_without_a_place_to_break_it.c",
                VIOLATION,
                "default",
            ),
        ),
        ("open", report(&folder.path().join("b"), "p.c", VIOLATION, "location")),
    ];
    let pictures = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (name, page) in &pages {
        for (width, dark) in [(1280, false), (390, true)] {
            browser.open(page, width, dark);
            let tabs = browser.eval("document.querySelectorAll('[role=tab]').length").as_u64().unwrap();
            assert!(tabs >= 4, "{tabs}");
            for tab in 0..tabs {
                browser.eval(&format!("document.querySelectorAll('[role=tab]')[{tab}].click()"));
                browser.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
                let wide = browser.eval("document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= u64::from(width), "{name}: {wide} of {width} in tab {tab}");
                let picture = pictures.join(format!("report-{name}-{width}-{tab}.png"));
                assert!(browser.screenshot(&picture) > 12_000, "{} is blank", picture.display());
            }
        }
    }
    browser.open(&pages[0].1, 1280, false);
    let mut way = Vec::new();
    for _ in 0..12 {
        browser.press("Tab");
        let about = "(() => { const at = document.activeElement; const style = getComputedStyle(at); \
                     return (at.id || at.getAttribute('aria-label') || at.textContent).slice(0, 20) + ' ' + style.outlineStyle })()";
        way.push(browser.text(about));
    }
    for wanted in ["theme solid", "tab-source solid", "Next step solid", "slider solid", "main solid"] {
        assert!(way.contains(&wanted.to_string()), "{wanted}: {way:?}");
    }
    browser.eval("document.getElementById('tab-source').focus()");
    browser.press("ArrowRight");
    assert_eq!(browser.text("document.activeElement.id"), "tab-control-flow");
    assert_eq!(browser.eval("document.getElementById('panel-control-flow').hidden"), Value::Bool(false));
    browser.eval("document.querySelector('#panel-control-flow canvas').focus()");
    let told = "document.querySelector('#panel-control-flow .told').textContent";
    let before = browser.text(told);
    browser.press("n");
    assert_ne!(browser.text(told), before);
    assert_eq!(browser.offences(), [""; 0]);
}

#[test]
fn ten_thousand_nodes_can_be_moved_about() {
    let Some(mut browser) = browser::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let body: String = (0..3_400).map(|at| format!("  if (x > {at})\n    y = y + {at};\n  x = x + 1;\n")).collect();
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {{\n  int x = __VERIFIER_nondet_int(), y = 0;\n\
         {body}  if (y != 1)\n    reach_error();\n  return 0;\n}}\n"
    );
    let page = report(folder.path(), "large.c", &text, "fuzz");
    browser.open(&page, 1280, false);
    browser.eval("document.getElementById('tab-control-flow').click()");
    // As often as a hand moves in a second; the test waits for each frame.
    let moved = browser.eval(
        "(async () => { const frame = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));\n\
         await frame(); const view = document.querySelector('#panel-control-flow > div').view; view.fit(); await frame();\n\
         const started = performance.now(); let longest = 0;\n\
         for (let at = 0; at < 30; at++) { const before = performance.now(); view.pan(3, -20); if (at % 10 === 0) view.zoom(1.5); \
         await frame(); longest = Math.max(longest, performance.now() - before); }\n\
         const canvas = view.canvas; const points = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;\n\
         const colours = new Set(); for (let at = 0; at < points.length; at += 4) colours.add(points[at] << 16 | points[at + 1] << 8 | points[at + 2]);\n\
         return { nodes: view.graph.nodes.length, longest, colours: colours.size } })()",
    );
    assert!(moved["nodes"].as_u64().unwrap() >= 10_000, "{moved}");
    assert!(moved["colours"].as_u64().unwrap() > 2, "{moved}");
    assert!(moved["longest"].as_f64().unwrap() < 3_000.0, "{moved}");
}

/// Lines that begin with a mark print the variables that the mark names, where gcc compiles them.
const MARKED: &str = "/*prelude*/\nint g = 3;\nstatic int collatz(int n) {\n  int steps = 0;\n  while (n != 1) {\n\
    /*@n,steps,g*/ if (n % 2) {\n/*@n,steps,g*/ n = 3 * n + 1;\n    } else {\n/*@n,steps,g*/ n = n / 2;\n    }\n\
    /*@n,steps,g*/ steps++; g += steps * n;\n  }\n/*@n,steps,g*/ return steps;\n}\nint main(void) {\n  int a[3] = {6, 7, 9};\n\
    short total = 0; unsigned char c = 250;\n  for (int i = 0; i < 3; i++) {\n/*@i,total,c,g*/ total += collatz(a[i]);\n\
    /*@i,total,c,g*/ c += total;\n/*@i,total,c,g*/ a[i] = total * c;\n/*@i,total,c,g,a[0]*/ g ^= a[i];\n  }\n\
    /*@total,c,g*/ reach_error();\n  return 0;\n}\n";

#[test]
fn values_are_those_of_gcc() {
    let folder = tempfile::tempdir().unwrap();
    let observed: Vec<String> = {
        let mut text = String::new();
        for (at, line) in MARKED.lines().enumerate() {
            match line.split_once("/*@").and_then(|(_, rest)| rest.split_once("*/")) {
                Some((names, rest)) => {
                    let formats: String = names.split(',').map(|name| format!(" {name}=%d")).collect();
                    text += &format!("printf(\"{}{formats}\\n\", {names}); {rest}\n", at + 1);
                }
                None => text += &format!("{line}\n"),
            }
        }
        let text =
            text.replace("/*prelude*/", "#include <stdio.h>\n#include <stdlib.h>\nvoid reach_error(void) { exit(0); }");
        let (source, program) = (folder.path().join("p.c"), folder.path().join("p"));
        fs::write(&source, text).unwrap();
        let built = run(Command::new("gcc").arg("-o").args([&program, &source]));
        assert!(built.status.success(), "{built:?}");
        run(&mut Command::new(&program)).stdout.lines().map(str::to_string).collect()
    };
    assert!(observed.len() > 100, "{observed:?}");
    let text = MARKED.replace("/*prelude*/", "void reach_error(void) {}");
    let program = Arc::new(load_text(&text, "p.c", DataModel::Lp64).unwrap());
    let task = Task::new(program.clone(), Property::UnreachableCall { function: "reach_error".into() });
    let followed = follow(&program, &task.targets, &TestCase::of(Vec::<InputValue>::new()), None).unwrap();
    assert_eq!(stepped(&followed, &text), observed);
}

/// The marked lines among the steps, with the values of the variables that the marks name.
fn stepped(followed: &tandem::report::trace::Followed, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut stack: Vec<(usize, Vec<String>)> = vec![(0, Vec::new())];
    // Where each function is; it comes back to the line of a call that has more to do.
    let mut at: Vec<u32> = vec![0];
    let mut told = Vec::new();
    for step in &followed.steps {
        stack.truncate(stack.len() - step.returned);
        stack.extend(step.entered.iter().map(|frame| (*frame, Vec::new())));
        at.resize(stack.len() - step.entered.len(), 0);
        at.resize(stack.len(), 0);
        let comes_back = step.returned > 0 && at.last() == Some(&step.line);
        *at.last_mut().unwrap() = step.line;
        for (frame, variable, value) in &step.changes {
            let values = &mut stack[*frame].1;
            values.resize(values.len().max(variable + 1), String::new());
            values[*variable] = value.clone();
        }
        let Some((names, _)) =
            lines[step.line as usize - 1].split_once("/*@").and_then(|(_, rest)| rest.split_once("*/"))
        else {
            continue;
        };
        if comes_back {
            continue;
        }
        let value = |name: &str| {
            let plain = name.split('[').next().unwrap();
            let found = [stack.last().unwrap(), &stack[0]].into_iter().find_map(|(frame, values)| {
                let at = followed.frames[*frame].variables.iter().position(|variable| variable.name == plain)?;
                values.get(at).cloned()
            });
            let found = found.unwrap_or_else(|| panic!("{name} has no value at line {}", step.line));
            let element = found.trim_start_matches('[').split(',').next().unwrap().to_string();
            if plain == name { found.split(' ').next().unwrap().to_string() } else { element }
        };
        let values: String = names.split(',').map(|name| format!(" {name}={}", value(name))).collect();
        told.push(format!("{}{values}", step.line));
    }
    told
}
