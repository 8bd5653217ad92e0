//! Files with knowledge about a program: formats from end to end, the commands on them, and their messages for bad
//! files.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::fs;
use std::path::Path;
use std::time::Instant;
use tandem::artifact::condition_automaton;
use tandem::frontend::load_text;
use tandem_plugin_api::artifact::{Gia, GiaDocument};
use tandem_plugin_api::program::{DataModel, Program};
use tandem_tests::automata::{COUNT, SEVEN, covered, random_paths};
use tandem_tests::command::{Ran, tandem};
use tandem_tests::test_plugins::library;

fn read(text: &str, program: &Program) -> Gia {
    condition_automaton::parse(text, "a.txt", program).unwrap().result
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.write("count.c", COUNT);
        folder.write("seven.c", SEVEN);
        folder
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// Runs `tandem convert` in one direction.
    fn convert(&self, from: &str, to: &str, program: &str) -> Ran {
        self.convert_with(from, to, program, &[])
    }

    fn convert_with(&self, from: &str, to: &str, program: &str, more: &[&str]) -> Ran {
        let (from, to, program) = (self.path(from), self.path(to), self.path(program));
        tandem(["convert", "--from", &from, "--to", &to, &program].into_iter().chain(more.iter().copied()))
    }
}

#[track_caller]
fn expect_success(ran: &Ran) {
    assert_eq!(ran.code(), Some(0), "{}{}", ran.stdout, ran.stderr);
}

#[track_caller]
fn expect_refused(ran: &Ran, parts: &[&str]) {
    assert_eq!(ran.code(), Some(2), "{}{}", ran.stdout, ran.stderr);
    for part in parts {
        assert!(ran.stderr.contains(part), "no `{part}` in: {}", ran.stderr);
    }
    assert!(ran.stderr.contains("help: ") || ran.stderr.contains("tip: "), "{}", ran.stderr);
}

#[test]
fn gias_go_through_all_formats_and_back() {
    let folder = Folder::new();
    let seven = &folder.path("seven.c");
    folder.write("seven.txt", AUTOMATON);
    expect_success(&folder.convert("seven.txt", "gia.json", "seven.c"));
    let json = folder.text("gia.json");
    assert!(json.contains("\"program_hash\"") && json.contains("\"accepting\":\"ut\""), "{json}");
    expect_success(&folder.convert("gia.json", "again.txt", "seven.c"));
    expect_success(&folder.convert("again.txt", "third.txt", "seven.c"));
    let program = tandem::frontend::load(Path::new(seven), DataModel::Ilp32).unwrap();
    let gias: Vec<Gia> =
        ["seven.txt", "again.txt", "third.txt"].iter().map(|name| read(&folder.text(name), &program)).collect();
    for path in random_paths(&program, 200, 20, 3) {
        let expected = covered(&gias[0], &path, 1);
        assert!(gias.iter().all(|gia| covered(gia, &path, 1) == expected));
    }
    expect_success(&folder.convert("gia.json", "gia.dot", "seven.c"));
    let dot = folder.text("gia.dot");
    assert!(dot.contains("palegreen") && dot.contains("[!(i == 7)]"), "{dot}");
    let drawn = folder.convert("gia.json", "gia.svg", "seven.c");
    assert!(drawn.code() == Some(0) || drawn.stderr.contains("graphviz"), "{}", drawn.stderr);
}

const AUTOMATON: &str = "OBSERVER AUTOMATON A\nINITIAL STATE q;\nSTATE USEFIRST q :\n  MATCH \"[!(i == 7)]\" -> GOTO __TRUE;\n  \
                         TRUE -> GOTO q;\nSTATE __TRUE :\n  TRUE -> GOTO __TRUE;\nEND AUTOMATON\n";

#[test]
fn tests_become_a_gia_and_a_gia_becomes_tests_and_a_witness() {
    let folder = Folder::new();
    fs::create_dir(folder.path("suite")).unwrap();
    let test = |value: &str| {
        format!(
            "<?xml version=\"1.0\"?>\n<!DOCTYPE testcase SYSTEM \"x\">\n<testcase><input>{value}</input></testcase>\n"
        )
    };
    folder.write("suite/a.xml", &test("3"));
    folder.write("suite/b.xml", &test("7"));
    expect_success(&folder.convert("suite", "gia.json", "seven.c"));
    let json = folder.text("gia.json");
    assert!(json.contains("\"n == 7\"") && json.contains("\"accepting\":\"rt\""), "{json}");
    expect_success(&folder.convert("gia.json", "back", "seven.c"));
    assert!(folder.text("back/testcase-0001.xml").contains(">7</input>"));
    assert!(!Path::new(&folder.path("back/testcase-0002.xml")).exists(), "only what is known to reach the error");
    for (witness, formats) in [("w.yml", "function_return"), ("w.graphml", "assumption.resultfunction")] {
        expect_success(&folder.convert("gia.json", witness, "seven.c"));
        let text = folder.text(witness);
        assert!(text.contains(formats) && text.contains("result == 7"), "{text}");
        // The reader turns it into candidates.
        expect_success(&folder.convert(witness, "cand.json", "seven.c"));
        let cand = folder.text("cand.json");
        assert!(cand.contains("\"n == 7\"") && cand.contains("\"accepting\":\"cand\""), "{cand}");
    }
    let text = folder.text("w.yml");
    assert!(
        text.contains("line: 6\n              column: 33") && text.contains("line: 12\n              column: 5"),
        "{text}"
    );
    // A suite that reaches no error has no violation for a witness.
    folder.write("suite/b.xml", &test("8"));
    expect_refused(&folder.convert("suite", "w.yml", "seven.c"), &["there is no violation to witness"]);
}

const CORRECTNESS: &str = "\
- entry_type: \"invariant_set\"
  metadata:
    format_version: \"2.0\"
    uuid: \"0b9c4a52-8a53-4f2c-9a50-2b6d3f0c7e11\"
    creation_time: \"2026-11-16T09:30:00+01:00\"
    producer:
      name: \"MyVerifier\"
      version: \"0.1.0\"
    task:
      input_files:
        - \"count.c\"
      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"
      data_model: \"ILP32\"
      language: \"C\"
  content:
    - invariant:
        type: \"loop_invariant\"
        location:
          file_name: \"count.c\"
          line: 11
          column: 3
          function: \"main\"
        value: \"0 <= i && i <= n\"
        format: \"c_expression\"
    - invariant:
        type: \"location_invariant\"
        location:
          file_name: \"count.c\"
          line: 14
          column: 3
          function: \"main\"
        value: \"i == n\"
        format: \"c_expression\"
";

#[test]
fn invariants_survive_witnesses_gias_and_precisions() {
    let folder = Folder::new();
    folder.write("w.yml", CORRECTNESS);
    expect_success(&folder.convert("w.yml", "gia.json", "count.c"));
    expect_success(&folder.convert("gia.json", "back.yml", "count.c"));
    let back = folder.text("back.yml");
    assert!(back.contains("line: 11\n          column: 3") && back.contains("value: \"0 <= i && i <= n\""), "{back}");
    assert!(back.contains("location_invariant") && back.contains("line: 14") && back.contains("\"i == n\""), "{back}");
    expect_success(&folder.convert("back.yml", "w.graphml", "count.c"));
    let graph = folder.text("w.graphml");
    assert!(graph.contains("0 &lt;= i &amp;&amp; i &lt;= n") && graph.contains("correctness_witness"), "{graph}");
    expect_success(&folder.convert("w.graphml", "gia2.json", "count.c"));
    assert!(folder.text("gia2.json").contains("0 <= i && i <= n"));
    expect_success(&folder.convert_with("gia.json", "p.json", "count.c", &["--to-format", "precision"]));
    assert!(folder.text("p.json").contains("i == n"));
    expect_success(&folder.convert("p.json", "gia3.json", "count.c"));
    assert!(folder.text("gia3.json").contains("i == n"));
    // A hint claims nothing.
    assert!(!folder.text("gia.json").contains("\"ut\"") && !folder.text("gia.json").contains("\"rt\""));
}

#[test]
fn bad_witnesses_are_refused_in_time() {
    let folder = Folder::new();
    let refused = |name: &str, text: &str, parts: &[&str]| {
        folder.write(name, text);
        let started = Instant::now();
        expect_refused(&folder.convert(name, "out.json", "count.c"), parts);
        assert!(started.elapsed().as_secs() < 5, "{name}: {:?}", started.elapsed());
    };
    refused("w.yml", &CORRECTNESS[..500], &["w.yml"]);
    refused("w.yml", "", &["empty"]);
    refused(
        "w.yml",
        &CORRECTNESS.replace("loop_invariant", "lop_invariant"),
        &["did you mean `loop_invariant`", "w.yml:17:"],
    );
    refused("w.yml", &CORRECTNESS.replace("line: 11", "line: eleven"), &["`line` is not a number"]);
    refused("w.yml", &CORRECTNESS.replace("\"2.0\"", "\"3.0\""), &["version 3.0", "w.yml:3:"]);
    let hash = format!("      input_file_hashes:\n        count.c: \"{}\"\n      specification", "ab".repeat(32));
    let other = CORRECTNESS.replace("      specification", &hash);
    refused("w.yml", &other, &["another program", &"ab".repeat(32)]);
    let bomb: String = (0..40)
        .map(|level| match level {
            0 => "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_string(),
            _ => format!("a{level}: &a{level} [{}]\n", vec![format!("*a{}", level - 1); 9].join(", ")),
        })
        .collect();
    refused("w.yml", &bomb, &["w.yml"]);
    refused("w.yml", &"[".repeat(200_000), &["nested too deeply"]);
    let entities = "<?xml version=\"1.0\"?><!DOCTYPE graphml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]>\
                    <graphml><graph><data key=\"producer\">&b;</data></graph></graphml>";
    refused("w.graphml", entities, &["not defined"]);
    refused("w.graphml", "<graphml><graph>", &["not closed"]);
    refused("w.graphml", &"<a>".repeat(100_000), &["nested too deeply"]);
    refused("w.graphml", "<graphml><graph/></graphml>", &["witness-type"]);
    let node = "<graphml><graph><data key=\"witness-type\">violation_witness</data><node id=\"q\">\
                <data key=\"entry\">true</data></node><edge source=\"q\" target=\"r\"/></graph></graphml>";
    refused("w.graphml", node, &["the node `r`"]);
}

#[test]
fn bad_gias_and_slips_are_named() {
    let folder = Folder::new();
    let program = tandem::frontend::load(Path::new(&folder.path("seven.c")), DataModel::Ilp32).unwrap();
    let document = |hash: &str| {
        let document = GiaDocument { program_hash: Some(hash.into()), ..GiaDocument::new(Gia::all_ut()) };
        document.to_json(&program).unwrap()
    };
    let good = document(&program.source_sha256);
    folder.write("good.json", &good);
    expect_success(&folder.convert("good.json", "out.txt", "seven.c"));
    assert!(folder.text("out.txt").contains("INITIAL STATE __TRUE;"));
    folder.write("other.json", &document(&"12".repeat(32)));
    expect_refused(&folder.convert("other.json", "out.txt", "seven.c"), &[&"12".repeat(32), &program.source_sha256]);
    expect_refused(&folder.convert("good.json", "out.txt", "count.c"), &["made for", "count.c", "seven.c"]);
    folder.write("cut.json", &good[..good.len() / 2]);
    expect_refused(&folder.convert("cut.json", "out.txt", "seven.c"), &["cut.json:"]);
    folder.write("typo.json", &good.replace("\"ut\"", "\"utt\""));
    expect_refused(&folder.convert("typo.json", "out.txt", "seven.c"), &["`utt` is not an accepting set", "states[0]"]);
    let slip = folder.convert_with("good.json", "out.x", "seven.c", &["--to-format", "automatn"]);
    expect_refused(&slip, &["automatn", "automaton"]);
    expect_refused(&folder.convert("good.json", "out.xyz", "seven.c"), &["does not tell the format", "--to-format"]);
    expect_refused(&folder.convert("nowhere.json", "out.txt", "seven.c"), &["nowhere.json", "cannot be read"]);
    expect_refused(&folder.convert("good.json", "suite", "seven.c"), &["there are no tests"]);
    folder.write("a.txt", "#include b.txt\n");
    folder.write("b.txt", "#include \"a.txt\"\n");
    expect_refused(&folder.convert("a.txt", "out.json", "seven.c"), &["in a circle", "a.txt", "b.txt"]);
    folder.write("c.txt", "#include missing.txt\n");
    expect_refused(&folder.convert("c.txt", "out.json", "seven.c"), &["missing.txt", "c.txt:1:1"]);
    folder.write("d.txt", AUTOMATON);
    folder.write("e.txt", "#include d.txt\n");
    expect_success(&folder.convert("e.txt", "out.json", "seven.c"));
    folder.write("f.txt", &AUTOMATON.replace("i == 7", "k == 9"));
    expect_refused(&folder.convert("f.txt", "out.json", "seven.c"), &["about another program", "f.txt:4:"]);
}

#[test]
fn combining_knows_what_both_know_and_finds_contradictions() {
    let folder = Folder::new();
    let text = |trigger: &str, kind: &str| {
        format!(
            "OBSERVER AUTOMATON A INITIAL STATE q; STATE USEFIRST q : MATCH \"{trigger}\" -> GOTO e; TRUE -> GOTO q; \
             {kind} STATE e : TRUE -> GOTO e; END AUTOMATON\n"
        )
    };
    folder.write("a.txt", &text("[!(i == 7)]", "NON_TARGET"));
    folder.write("b.txt", &text("[i == 7]", "TARGET"));
    folder.write("c.txt", &text("[i == 7]", "NON_TARGET"));
    let combine = |first: &str, second: &str| {
        let paths = [first, second, "out.json", "seven.c"].map(|name| folder.path(name));
        tandem(["combine", &paths[0], &paths[1], "-o", &paths[2], &paths[3]])
    };
    let ran = combine("a.txt", "b.txt");
    expect_success(&ran);
    assert!(ran.stdout.contains("ut") && ran.stdout.contains("rt"), "{}", ran.stdout);
    let json = folder.text("out.json");
    assert!(json.contains("\"ut\"") && json.contains("\"rt\""), "{json}");
    expect_refused(&combine("b.txt", "c.txt"), &["contradict each other", "seven.c:11: [i == 7]"]);
    let alone = tandem(["combine", &folder.path("a.txt"), "-o", &folder.path("out.json"), &folder.path("seven.c")]);
    expect_refused(&alone, &["cannot be combined"]);
}

#[test]
fn reducing_writes_c_and_the_way_back() {
    let folder = Folder::new();
    folder.write("known.txt", AUTOMATON);
    // A reducer that keeps everything.
    let plugins = library("panic_reducer").parent().unwrap().display().to_string();
    let only = folder.path("plugins");
    fs::create_dir(&only).unwrap();
    fs::copy(Path::new(&plugins).join("libpanic_reducer.so"), Path::new(&only).join("libpanic_reducer.so")).unwrap();
    let reduce = |reducer: &str| {
        let paths = ["known.txt", "residual.c", "seven.c"].map(|name| folder.path(name));
        let arguments =
            ["reduce", "--plugin-dir", &only, "--reducer", reducer, "--gia", &paths[0], "-o", &paths[1], &paths[2]];
        tandem(arguments)
    };
    let ran = reduce("panic-reducer");
    expect_success(&ran);
    assert!(ran.stdout.contains("program:") && ran.stdout.contains("residual:"), "{}", ran.stdout);
    let residual = folder.text("residual.c");
    assert!(residual.contains("#line") && residual.contains("seven.c"), "{residual}");
    let origin = folder.text("residual.c.origin.json");
    assert!(origin.contains("\"main:6:11:input(__VERIFIER_nondet_int)\""), "{origin}");
    assert!(load_text(&residual, "residual.c", DataModel::Ilp32).is_ok());
    let set = |option: &str| {
        let paths = ["known.txt", "residual.c", "seven.c"].map(|name| folder.path(name));
        tandem(["reduce", "--reducer", "product", "--gia", &paths[0], "-o", &paths[1], "--set", option, &paths[2]])
    };
    // The paths that are not verified are left: the path to the error, and nothing after the other branch.
    expect_success(&set("max-locations=1000"));
    let rest = load_text(&folder.text("residual.c"), "residual.c", DataModel::Ilp32).unwrap();
    let texts: Vec<String> = rest.edge_ids().map(|edge| rest.edge_text(edge)).collect();
    assert!(texts.iter().any(|text| text == "reach_error()"), "{texts:?}");
    expect_success(&set("max-growth=1"));
    expect_refused(&set("max-locations=2"), &["gave no residual program", "known.txt"]);
    expect_refused(&set("max-location=2"), &["max-location", "tandem plugins info product"]);
    expect_refused(&set("max-locations"), &["sets no option"]);
    expect_refused(&reduce("panic-reducr"), &["no reducer plugin `panic-reducr`", "panic-reducer"]);
}
