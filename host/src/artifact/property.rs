//! Property files (`.prp`) of SV-COMP and Test-Comp: the property of a program, and the function where it starts.
//! Rules: <https://sv-comp.sosy-lab.org/> and <https://test-comp.sosy-lab.org/>.

use super::input;
use crate::diagnostic::Diagnostic;
use std::path::Path;
use tandem_plugin_api::task::Property;

const SUPPORTED: &str = "supported are unreach-call, coverage-branches and coverage-error-call";
const EXAMPLE: &str = "write for example `CHECK( init(main()), LTL(G ! call(reach_error())) )`";
/// Real ones have one line.
const MAX_BYTES: u64 = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFile {
    pub property: Property,
    /// The function in which the program starts.
    pub entry: String,
    /// The property as the file words it, without blanks around it.
    pub text: String,
}

/// Formulas, without their blanks, that the competitions know and tandem does not check.
const OTHERS: &[(&str, &str)] = &[
    ("LTL(Fend)", "termination"),
    ("LTL(G!overflow)", "no-overflow"),
    ("LTL(G!data-race)", "no-data-race"),
    ("LTL(Gvalid-free)", "valid-memsafety"),
    ("LTL(Gvalid-deref)", "valid-memsafety"),
    ("LTL(Gvalid-memtrack)", "valid-memsafety"),
    ("LTL(Gvalid-memcleanup)", "valid-memcleanup"),
    ("LTL(Gdef-behavior)", "def-behavior"),
    ("FQL(COVEREDGES(@BASICBLOCKENTRY))", "coverage-statements"),
    ("FQL(COVEREDGES(@CONDITIONEDGE))", "coverage-conditions"),
];

pub fn read(path: &Path) -> Result<PropertyFile, Diagnostic> {
    let file = path.display().to_string();
    let unreadable = |what: String| {
        Diagnostic::new(format!("the property file cannot be read: {what}")).in_file(&file).help("check the path")
    };
    parse(&input::text(path, MAX_BYTES).map_err(unreadable)?, &file)
}

/// Reads the text of a property file; `file` is its name, for messages.
pub fn parse(text: &str, file: &str) -> Result<PropertyFile, Diagnostic> {
    let mut found: Option<PropertyFile> = None;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.split("//").next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        let property = parse_line(line).map_err(|problem| problem.in_file(file).at(index as u32 + 1, 1))?;
        if found.is_some() {
            return Err(Diagnostic::new("the file holds more than one property")
                .in_file(file)
                .at(index as u32 + 1, 1)
                .help("put each property into a file of its own"));
        }
        found = Some(property);
    }
    found.ok_or_else(|| Diagnostic::new("the file holds no property").in_file(file).help(EXAMPLE))
}

fn parse_line(line: &str) -> Result<PropertyFile, Diagnostic> {
    let not_a_property = || Diagnostic::new(format!("this is not a property: {}", shorten(line))).help(EXAMPLE);
    let dense: String = line.chars().filter(|c| !c.is_whitespace()).collect();
    let (kind, rest) = dense.split_once("(init(").ok_or_else(not_a_property)?;
    let (entry, rest) = rest.split_once("()),").ok_or_else(not_a_property)?;
    let formula = rest.strip_suffix(')').ok_or_else(not_a_property)?;
    let is_check = formula.starts_with("LTL(");
    let kind_fits = (kind == "CHECK" && is_check) || (kind == "COVER" && formula.starts_with("FQL("));
    if !kind_fits || !is_name(entry) {
        return Err(not_a_property());
    }
    let called = strip(formula, "LTL(G!call(", "()))").or_else(|| strip(formula, "LTL(G!call(", "))"));
    let property = if let Some(function) = called.filter(|name| is_name(name)) {
        Property::UnreachableCall { function: function.to_owned() }
    } else if let Some(functions) = strip(formula, "LTL(G!(call(", "())))").and_then(several) {
        Property::UnreachableCalls { functions }
    } else if let Some(function) = strip(formula, "FQL(COVEREDGES(@CALL(", ")))").filter(|name| is_name(name)) {
        Property::CoverCall { function: function.to_owned() }
    } else if formula == "FQL(COVEREDGES(@DECISIONEDGE))" {
        Property::CoverBranches
    } else if let Some(name) = other_name(formula) {
        return Err(Diagnostic::new(format!("the property {name} is not supported")).help(SUPPORTED));
    } else {
        return Err(Diagnostic::new(format!("this property is not known: {}", shorten(line))).help(SUPPORTED));
    };
    Ok(PropertyFile { property, entry: entry.to_owned(), text: line.to_owned() })
}

fn strip<'a>(text: &'a str, prefix: &str, suffix: &str) -> Option<&'a str> {
    text.strip_prefix(prefix)?.strip_suffix(suffix)
}

/// The names in `a())||call(b())||call(c`.
fn several(inside: &str) -> Option<Vec<String>> {
    let names: Vec<String> = inside.split("())||call(").map(str::to_owned).collect();
    (names.len() > 1 && names.iter().all(|name| is_name(name))).then_some(names)
}

fn other_name(formula: &str) -> Option<&'static str> {
    if formula.starts_with("LTL(G!label(") {
        return Some("unreach-label");
    }
    OTHERS.iter().find(|(known, _)| *known == formula).map(|(_, name)| *name)
}

fn is_name(text: &str) -> bool {
    let is_start = |c: char| c.is_ascii_alphabetic() || c == '_' || c == '$';
    text.starts_with(is_start) && text.chars().all(|c| is_start(c) || c.is_ascii_digit())
}

fn shorten(line: &str) -> String {
    match line.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The text of a property file, one line.
pub fn write(property: &Property, entry: &str) -> String {
    match property {
        Property::UnreachableCall { function } => format!("CHECK( init({entry}()), LTL(G ! call({function}())) )\n"),
        Property::UnreachableCalls { functions } => {
            let calls: Vec<String> = functions.iter().map(|function| format!("call({function}())")).collect();
            format!("CHECK( init({entry}()), LTL(G ! ({})) )\n", calls.join(" || "))
        }
        Property::CoverBranches => format!("COVER( init({entry}()), FQL(COVER EDGES(@DECISIONEDGE)) )\n"),
        Property::CoverCall { function } => format!("COVER( init({entry}()), FQL(COVER EDGES(@CALL({function}))) )\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: &str) -> Property {
        Property::UnreachableCall { function: function.to_owned() }
    }

    #[test]
    fn what_is_written_reads_back() {
        let covered = Property::CoverCall { function: "reach_error".to_owned() };
        let functions = ["reach_error", "__assert_fail", "assert"].map(str::to_owned).to_vec();
        let several = Property::UnreachableCalls { functions };
        for property in [call("reach_error"), call("__VERIFIER_error"), Property::CoverBranches, covered, several] {
            for entry in ["main", "start_2"] {
                let text = write(&property, entry);
                let read = parse(&text, "p.prp").unwrap();
                assert_eq!(
                    read,
                    PropertyFile { property: property.clone(), entry: entry.into(), text: text.trim().into() }
                );
            }
        }
    }

    #[test]
    fn blanks_and_comments_do_not_matter() {
        let text = "\u{feff}// the usual one\r\n\r\n \tCHECK(init( main( ) ),LTL( G! call( f () ) ))  // so\r\n\n";
        let read = parse(text, "p.prp").unwrap();
        assert_eq!((read.property, read.entry.as_str()), (call("f"), "main"));
        assert_eq!(read.text, "CHECK(init( main( ) ),LTL( G! call( f () ) ))");
    }

    #[test]
    fn other_properties_are_named_and_refused() {
        for (formula, name) in [
            ("CHECK( init(main()), LTL(F end) )", "termination"),
            ("CHECK( init(main()), LTL(G ! overflow) )", "no-overflow"),
            (
                "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n",
                "valid-memsafety",
            ),
            ("CHECK( init(main()), LTL(G ! data-race) )", "no-data-race"),
            ("CHECK( init(main()), LTL(G ! label(ERROR)) )", "unreach-label"),
            ("COVER( init(main()), FQL(COVER EDGES(@BASICBLOCKENTRY)) )", "coverage-statements"),
            ("COVER( init(main()), FQL(COVER EDGES(@CONDITIONEDGE)) )", "coverage-conditions"),
        ] {
            let problem = parse(formula, "p.prp").unwrap_err();
            assert_eq!(problem.message, format!("the property {name} is not supported"));
            assert_eq!((problem.line, problem.help.as_deref()), (Some(1), Some(SUPPORTED)));
        }
    }

    #[test]
    fn garbage_is_refused_with_its_line() {
        for text in [
            "int main() {}",
            "CHECK( init(main()), LTL(G ! call(reach_error())) ",
            "CHECK( init(main), LTL(G ! call(reach_error())) )",
            "CHECK( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )",
            "COVER( init(main()), LTL(G ! call(reach_error())) )",
            "CHECK( init(main()), LTL(G ! call(3x())) )",
            "CHECK( init(main()), LTL(G ! call()) )",
            "CHECK( init(main()), LTL(F ! call(f())) )",
            "CHECK( init(()), LTL(G ! call(f())) )",
        ] {
            let problem = parse(&format!("\n{text}\n"), "p.prp").unwrap_err();
            assert_eq!((problem.line, problem.help.is_some()), (Some(2), true), "{text}");
        }
        assert!(parse("  // nothing\n", "p.prp").unwrap_err().message.contains("no property"));
        let twice = write(&Property::CoverBranches, "main").repeat(2);
        assert_eq!(parse(&twice, "p.prp").unwrap_err().line, Some(2));
    }

    #[test]
    fn unreadable_files_are_named() {
        let problem = read(Path::new("/no/such/file.prp")).unwrap_err();
        assert_eq!(problem.file.as_deref(), Some("/no/such/file.prp"));
        assert!(read(Path::new("/")).is_err());
    }
}
