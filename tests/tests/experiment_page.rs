//! The page of an experiment's results in a browser: 10,000 tasks open in two seconds and filter without lag, names of tasks stay
//! text whatever stands in them, and nothing is wider than the screen, be it a phone's.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::process::Command;
use tandem::experiment::table::{ConfigInfo, Results, Summary};
use tandem::experiment::tasks::Task;
use tandem::experiment::{Answer, RunResult, page};
use tandem_plugin_api::kit::testing::skip;
use tandem_tests::command::run;

const HOSTILE: &str =
    "<img src=x onerror=\"window.pwned=1\">/</script><script>window.pwned=2</script>&amp;'\"{{data}}.yml";

/// Answers and times that differ, the same in every run of the test.
fn results(count: usize) -> Results {
    let labels = ["value", "predicate", "</script><b>bold</b>"];
    let mut runs = Vec::new();
    for at in 0..count {
        let name = if at == 7 { HOSTILE.to_string() } else { format!("folder-{}/task-{at:05}.yml", at % 17) };
        let task = Task { name, file: "x".into(), property: None, expected: Some(at % 3 > 0), hash: String::new() };
        for (column, label) in labels.iter().enumerate() {
            let answer = match (at * 7 + column * 3) % 10 {
                0..6 => {
                    if at % 3 > 0 {
                        Answer::True
                    } else {
                        Answer::False
                    }
                }
                6 => Answer::Timeout,
                _ => Answer::Unknown,
            };
            let mut run = RunResult::new("k", label, &task, (answer, "a reason with <b>markup</b>".to_string()));
            run.cpu_seconds = f64::from(u32::try_from((at * 37 + column * 11) % 5000 + 1).unwrap()) / 100.0;
            run.memory_bytes = Some(1_000_000 + at as u64 * 1000);
            run.folder = format!("runs/{column}/{at}");
            runs.push(run);
        }
    }
    let config = |label: &&str| ConfigInfo { label: label.to_string(), config: label.to_string(), options: vec![] };
    Results {
        tandem: "0".into(),
        experiment: "an experiment </title><script>window.pwned=3</script>".into(),
        about: "<b>about</b>".into(),
        limits: serde_json::json!({ "wall": "60s" }),
        configs: labels.iter().map(config).collect(),
        planned: runs.len(),
        jobs: 1,
        summary: labels.iter().map(|label| Summary::of(label, &runs)).collect(),
        runs,
    }
}

/// Measures in the page: until all is drawn and laid out, then every filter of a word typed letter by letter, a sort, a scroll.
const MEASURE: &str = "<script>
const heard = (window.parent !== window ? parent.document : document).documentElement.dataset;
const settled = () => { drawScatter(); drawQuantile(); drawSets(view.rows); return document.body.offsetHeight; };
settled();
heard.open = performance.now();
const timed = action => { const before = performance.now(); action(); document.body.offsetHeight; return performance.now() - before; };
const type = text => { $('search').value = text; $('search').dispatchEvent(new Event('input')); };
const word = 'folder-3 task-0';
heard.filter = Math.max(...[...word].map((_, at) => timed(() => type(word.slice(0, at + 1)))));
heard.found = $('count').textContent;
type('onerror');
heard.hostile = $('runs').tBodies[0].querySelector('button').title;
type('');
heard.plots = timed(settled);
heard.sort = timed(() => $('runs').querySelector('[data-column=number1]').click());
heard.first = $('runs').tBodies[0].rows[1].cells[5].textContent;
heard.scroll = timed(() => { $('scroll').scrollTop = 200000; draw(); });
heard.rows = $('runs').tBodies[0].rows.length;
heard.wide = document.documentElement.scrollWidth - innerWidth;
heard.width = innerWidth;
heard.pwned = String(window.pwned) + document.images.length + document.querySelectorAll('main b b, td b').length;
</script></body>";

/// The attributes that the page left on its root, in the browser that there is.
fn measured(folder: &Path, page: &str, narrow: bool) -> impl Fn(&str) -> String {
    fs::write(folder.join("page.html"), page).unwrap();
    let frame = "<body><iframe src='page.html' style='width:390px;height:800px;border:0'></iframe></body>";
    fs::write(folder.join("frame.html"), frame).unwrap();
    let file = folder.join(if narrow { "frame.html" } else { "page.html" });
    let mut command = Command::new("chromium");
    command.args([
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--allow-file-access-from-files",
        "--window-size=1280,900",
    ]);
    command.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    command.arg("--dump-dom").arg(format!("file://{}", file.display()));
    let ran = run(&mut command);
    let head = ran.stdout.split_once("<html").map(|(_, rest)| rest.split_once('>').unwrap().0.to_string());
    let head = head.unwrap_or_else(|| panic!("the browser shows nothing: {}", ran.stderr));
    move |name| {
        let found = head.split_once(&format!("data-{name}=\"")).and_then(|(_, rest)| rest.split_once('"'));
        found.unwrap_or_else(|| panic!("no {name} in {head}")).0.to_string()
    }
}

#[test]
fn ten_thousand_tasks_open_and_filter() {
    if Command::new("chromium").arg("--version").output().is_err() {
        return skip("chromium is not installed");
    }
    let folder = tempfile::tempdir().unwrap();
    let page = page::page(&results(10_000)).replace("</body>", MEASURE);
    for narrow in [false, true] {
        // The machine may be busy: the best of three counts.
        for attempt in 1..=3 {
            let value = measured(folder.path(), &page, narrow);
            assert_eq!(value("found"), "589 of 10,000 tasks");
            assert!(value("hostile").contains("onerror"), "{}", value("hostile"));
            assert_eq!(value("pwned"), "undefined00");
            assert_eq!(value("first"), "0.01 s");
            assert!(value("rows").parse::<u32>().unwrap() < 100);
            assert!(value("wide").parse::<i32>().unwrap() <= 0, "wider than the screen by {}", value("wide"));
            assert_eq!(value("width").parse::<i32>().unwrap(), if narrow { 390 } else { 1280 });
            let milliseconds = |name: &str| value(name).parse::<f64>().unwrap();
            let times = ["open", "filter", "plots", "sort", "scroll"].map(milliseconds);
            eprintln!("open, filter, plots, sort, scroll: {times:.0?} ms");
            let [open, filter, plots, sort, scroll] = times;
            if open < 2000.0 && filter < 100.0 && plots < 500.0 && sort < 200.0 && scroll < 100.0 {
                break;
            }
            assert!(attempt < 3, "too slow: open, filter, plots, sort, scroll {times:.0?} ms");
        }
    }
}

#[test]
fn the_page_loads_nothing() {
    let page = page::page(&results(3));
    for part in ["http://", "https://", "src=", "@import", "url("] {
        let outside_of_data: String =
            page.lines().filter(|line| !line.starts_with("<script type=\"application/json\"")).collect();
        assert!(!outside_of_data.contains(part), "{part}");
    }
    assert!(page.contains("default-src 'none'") && !page.contains("{{"), "a place was not filled");
}
