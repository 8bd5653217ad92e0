//! The two kinds of XML files in a test suite: test cases and metadata. Nothing is fetched and no entity is expanded
//! but XML's own five, whatever a file declares.

use super::Metadata;
use crate::diagnostic::Diagnostic;
use quick_xml::escape::escape;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use tandem_plugin_api::artifact::{InputValue, TestCase, TestInput};
use tandem_plugin_api::program::FloatKind;

/// TestCov looks at the first two lines: each must be a line of its own.
const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";
const TEST_DOCTYPE: &str = "<!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \
                            \"https://sosy-lab.org/test-format/testcase-1.1.dtd\">\n";
const METADATA_DOCTYPE: &str = "<!DOCTYPE test-metadata PUBLIC \
                                \"+//IDN sosy-lab.org//DTD test-format test-metadata 1.1//EN\" \
                                \"https://sosy-lab.org/test-format/test-metadata-1.1.dtd\">\n";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Test,
    Metadata,
    Other,
}

/// The kind of the file by its first two lines, as TestCov reads them.
pub(super) fn kind(text: &str) -> Kind {
    let mut lines = text.lines();
    let is_xml = lines.next().is_some_and(|line| line.starts_with("<?xml "));
    match lines.next() {
        Some(line) if is_xml && line.starts_with("<!DOCTYPE testcase ") => Kind::Test,
        Some(line) if is_xml && line.starts_with("<!DOCTYPE test-metadata ") => Kind::Metadata,
        _ => Kind::Other,
    }
}

/// An element with its attributes and the text directly in it.
#[derive(Debug, Default)]
struct Element {
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
    /// Where its tag begins, in bytes.
    at: u64,
}

impl Element {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// The root element and its children; these files have no deeper ones.
struct Document {
    root: Element,
    children: Vec<Element>,
}

/// Reads the text of a test case; `file` is its name, for messages.
pub fn parse_test(text: &str, file: &str) -> Result<TestCase, Diagnostic> {
    let parser = Parser { text, file };
    let document = parser.document("testcase")?;
    let covers_error = document.root.attribute("coversError").is_some_and(|value| value == "true");
    let mut inputs = Vec::with_capacity(document.children.len());
    for child in document.children {
        if child.name != "input" {
            let message = format!("expected `<input>`, found `<{}>`", child.name);
            return Err(parser.place(Diagnostic::new(message), child.at).help(TEST_HELP));
        }
        let owned = |name| child.attribute(name).map(str::to_string);
        let value = InputValue::Text(child.text.trim().into());
        inputs.push(TestInput { value, type_name: owned("type"), variable: owned("variable") });
    }
    Ok(TestCase { inputs, covers_error })
}

const TEST_HELP: &str = "a test case is `<testcase>` with an `<input>` for each value";

/// Reads the text of `metadata.xml`.
pub(super) fn parse_metadata(text: &str, file: &str) -> Result<Metadata, Diagnostic> {
    let document = Parser { text, file }.document("test-metadata")?;
    let field = |name: &str| {
        let found = document.children.iter().find(|child| child.name == name);
        found.map(|child| child.text.trim().to_string())
    };
    let required = |name: &str| {
        field(name).ok_or_else(|| {
            Diagnostic::new(format!("`<{name}>` is missing")).in_file(file).help("add it: the format requires it")
        })
    };
    Ok(Metadata {
        language: required("sourcecodelang")?,
        producer: required("producer")?,
        specification: required("specification")?,
        program_file: required("programfile")?,
        program_hash: required("programhash")?,
        entry_function: required("entryfunction")?,
        architecture: required("architecture")?,
        creation_time: required("creationtime")?,
        input_suite: field("inputtestsuitefile").map(|suite| (suite, field("inputtestsuitehash").unwrap_or_default())),
    })
}

struct Parser<'t> {
    text: &'t str,
    file: &'t str,
}

impl Parser<'_> {
    fn document(&self, root_name: &str) -> Result<Document, Diagnostic> {
        let mut reader = Reader::from_str(self.text);
        let mut open: Vec<Element> = Vec::new();
        let mut children = Vec::new();
        let mut root = None;
        loop {
            let at = reader.buffer_position();
            let event =
                reader.read_event().map_err(|error| self.problem(reader.error_position(), &error.to_string()))?;
            match event {
                Event::Start(start) => open.push(self.element(&start, at)?),
                Event::Empty(start) => {
                    let element = self.element(&start, at)?;
                    self.close(element, open.len(), &mut children, &mut root)?;
                }
                Event::End(_) => {
                    // The reader itself refuses an end without a start.
                    let element = open.pop().unwrap_or_default();
                    self.close(element, open.len(), &mut children, &mut root)?;
                }
                Event::Text(text) => self.add_text(&mut open, &text.xml10_content(), at)?,
                Event::CData(data) => self.add_text(&mut open, &data.xml10_content(), at)?,
                Event::GeneralRef(reference) => {
                    let replaced = match reference.resolve_char_ref() {
                        Ok(Some(character)) => character.to_string(),
                        _ => match quick_xml::escape::resolve_xml_entity(&reference) {
                            Some(text) => text.to_string(),
                            None => return Err(self.problem(at, &format!("`&{};` is not defined", &*reference))),
                        },
                    };
                    self.add_text(&mut open, &replaced, at)?;
                }
                Event::Eof => break,
                Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) => {}
            }
        }
        match (open.last(), root) {
            (Some(unclosed), _) => {
                let message = format!("`<{}>` is not closed", unclosed.name);
                Err(self.place(Diagnostic::new(message), unclosed.at).help("is the file cut off?"))
            }
            (None, Some(root)) if root.name == root_name => Ok(Document { root, children }),
            _ => Err(Diagnostic::new(format!("there is no element `<{root_name}>`"))
                .in_file(self.file)
                .help("the outermost element must be of this name")),
        }
    }

    fn element(&self, start: &BytesStart<'_>, at: u64) -> Result<Element, Diagnostic> {
        let mut element = Element { name: start.local_name().as_ref().to_string(), at, ..Element::default() };
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| self.problem(at, &error.to_string()))?;
            let value = attribute.normalized_value(XmlVersion::Explicit1_0);
            let value = value.map_err(|error| self.problem(at, &error.to_string()))?;
            element.attributes.push((attribute.key.as_ref().to_string(), value.into_owned()));
        }
        Ok(element)
    }

    /// An element ended that lies in `depth` others.
    fn close(
        &self,
        element: Element,
        depth: usize,
        children: &mut Vec<Element>,
        root: &mut Option<Element>,
    ) -> Result<(), Diagnostic> {
        match depth {
            0 if root.is_none() => *root = Some(element),
            1 => children.push(element),
            _ => {
                let message = format!("`<{}>` is out of place", element.name);
                return Err(self.place(Diagnostic::new(message), element.at).help("remove it"));
            }
        }
        Ok(())
    }

    fn add_text(&self, open: &mut [Element], text: &str, at: u64) -> Result<(), Diagnostic> {
        match open.last_mut() {
            Some(element) => element.text.push_str(text),
            None if text.trim().is_empty() => {}
            None => return Err(self.problem(at, "text outside of all elements")),
        }
        Ok(())
    }

    fn problem(&self, at: u64, what: &str) -> Diagnostic {
        let problem = Diagnostic::new(format!("this is not well-formed XML: {what}"));
        self.place(problem, at).help("a value with `<`, `&` or quotes must be escaped, as in `'&lt;'`")
    }

    /// Adds where it is; lines are counted only when something is wrong.
    fn place(&self, problem: Diagnostic, offset: u64) -> Diagnostic {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(self.text.len());
        let newlines = self.text.as_bytes()[..offset].iter().filter(|byte| **byte == b'\n').count();
        problem.in_file(self.file).at(newlines as u32 + 1, 1)
    }
}

/// The text of a test case.
pub fn write_test(test: &TestCase) -> String {
    let covers_error = if test.covers_error { " coversError=\"true\"" } else { "" };
    let mut text = format!("{XML}{TEST_DOCTYPE}<testcase{covers_error}>\n");
    for input in &test.inputs {
        let attribute = |name: &str, value: &Option<String>| {
            value.as_ref().map_or(String::new(), |value| format!(" {name}=\"{}\"", escape(value.as_str())))
        };
        let (variable, ty) = (attribute("variable", &input.variable), attribute("type", &input.type_name));
        text += &format!("  <input{variable}{ty}>{}</input>\n", escape(value_text(&input.value)));
    }
    text + "</testcase>\n"
}

/// As `scanf` and `strtod` of the test harnesses read it: decimal, `inf`, `nan`. They take hexadecimal digits for a number,
/// not for the bits of one, so that the payload of a NaN cannot be written.
fn value_text(value: &InputValue) -> String {
    match *value {
        InputValue::Float { kind, bits } if is_nan(kind, bits) => {
            let negative = bits >> (sign_bit(kind)) & 1 == 1;
            if negative { "-nan" } else { "nan" }.to_string()
        }
        // The test leaves it open, so that any value is allowed.
        InputValue::Any => "0".to_string(),
        _ => value.to_string(),
    }
}

fn sign_bit(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float => 31,
        FloatKind::Double => 63,
        FloatKind::LongDouble => 79,
        FloatKind::Float128 => 127,
    }
}

fn is_nan(kind: FloatKind, bits: u128) -> bool {
    let magnitude = bits & ((1 << sign_bit(kind)) - 1);
    magnitude > tandem_plugin_api::program::constant::infinity(kind)
}

/// The text of `metadata.xml`.
pub(super) fn write_metadata(metadata: &Metadata) -> String {
    let mut fields = vec![
        ("sourcecodelang", &metadata.language),
        ("producer", &metadata.producer),
        ("specification", &metadata.specification),
        ("programfile", &metadata.program_file),
        ("programhash", &metadata.program_hash),
        ("entryfunction", &metadata.entry_function),
        ("architecture", &metadata.architecture),
        ("creationtime", &metadata.creation_time),
    ];
    if let Some((file, hash)) = &metadata.input_suite {
        fields.extend([("inputtestsuitefile", file), ("inputtestsuitehash", hash)]);
    }
    let lines = fields.iter().map(|(name, value)| format!("  <{name}>{}</{name}>\n", escape(value.as_str())));
    format!("{XML}{METADATA_DOCTYPE}<test-metadata>\n{}</test-metadata>\n", lines.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::ValueType;

    fn values(text: &str) -> Vec<String> {
        parse_test(text, "t.xml").unwrap().values().map(InputValue::to_string).collect()
    }

    #[test]
    fn what_is_written_reads_back() {
        let int = InputValue::integer(32, true, -7);
        let test = TestCase {
            inputs: vec![
                TestInput::new(int).of_type("int").for_variable("a<b"),
                TestInput::new(InputValue::double(-0.1)),
                TestInput::new(InputValue::float(f32::NEG_INFINITY)),
                TestInput::new(InputValue::Text("'<'".into())),
            ],
            covers_error: true,
        };
        let text = write_test(&test);
        assert_eq!(kind(&text), Kind::Test);
        let read = parse_test(&text, "t.xml").unwrap();
        assert!(read.covers_error);
        assert_eq!(values(&text), ["-7", "-0.1", "-inf", "'<'"]);
        assert_eq!(read.inputs[0].type_name.as_deref(), Some("int"));
        assert_eq!(read.inputs[0].variable.as_deref(), Some("a<b"));
        assert_eq!(values(&write_test(&TestCase::default())), [""; 0]);
    }

    #[test]
    fn every_value_is_one_that_a_harness_reads() {
        let float = ValueType::Float(FloatKind::Float);
        for (bits, text) in [(0x7f80_0001, "nan"), (0xffc0_1234, "-nan"), (0x7f80_0000, "inf"), (1, "1e-45")] {
            assert_eq!(value_text(&InputValue::from_bits(float, bits)), text);
        }
        let double = ValueType::Float(FloatKind::Double);
        assert_eq!(value_text(&InputValue::from_bits(double, 0x7ff8_0000_0000_0001)), "nan");
        assert_eq!(value_text(&InputValue::Any), "0");
        let bool_type = ValueType::Int { width: 1, signed: false };
        assert_eq!(value_text(&InputValue::from_bits(bool_type, 1)), "1");
    }

    #[test]
    fn foreign_spellings() {
        let text = "<?xml version='1.0'?>\n<!DOCTYPE testcase SYSTEM 'x' [<!ENTITY a \"5\">]>\n<!-- made by hand -->\n\
                    <testcase>\r\n<input type='char'><![CDATA['<']]></input><input> 0x1F </input>\n\
                    <input variable=\"x\">&#55;&amp;</input><input/></testcase>\n<!-- end -->\n";
        assert_eq!(values(text), ["'<'", "0x1F", "7&", ""]);
        assert!(!parse_test(text, "t.xml").unwrap().covers_error);
        assert_eq!(values("<testcase coversError='false'></testcase>"), [""; 0]);
    }

    #[test]
    fn broken_files_are_refused_with_their_line() {
        for (text, line, part) in [
            ("<testcase>\n  <input>1</input>\n", Some(1), "not closed"),
            ("<testcase>\n  <input>1<\n", Some(2), "well-formed"),
            ("<testcase>\n\n  <imput>1</imput></testcase>", Some(3), "found `<imput>`"),
            ("<testcase>\n<input>1<b/></input></testcase>", Some(2), "out of place"),
            ("<testcase>\n<input>&boom;</input></testcase>", Some(2), "not defined"),
            ("<testcase/>\n<testcase/>", Some(2), "out of place"),
            ("<testcase>\n</input>", Some(2), "well-formed"),
            ("7", Some(1), "outside"),
            ("", None, "no element"),
            ("<suite/>", None, "no element"),
            ("<testcase a='1' a='2'/>", Some(1), "well-formed"),
        ] {
            let problem = parse_test(text, "t.xml").unwrap_err();
            assert!(problem.message.contains(part), "{text}: {problem}");
            assert_eq!((problem.line, problem.help.is_some()), (line, true), "{text}: {problem}");
        }
        // As deep as it is long: refused, not overflowed.
        assert!(parse_test(&"<a>".repeat(100_000), "t.xml").is_err());
    }

    #[test]
    fn only_the_first_two_lines_tell_the_kind() {
        assert_eq!(kind("<?xml version=\"1.0\"?>\n<!DOCTYPE testcase SYSTEM \"x\">\n"), Kind::Test);
        assert_eq!(kind("<?xml version=\"1.0\"?><!DOCTYPE testcase SYSTEM \"x\">\n<testcase/>"), Kind::Other);
        assert_eq!(kind("<?xml version=\"1.0\"?>\n\n<!DOCTYPE testcase SYSTEM \"x\">\n"), Kind::Other);
        assert_eq!(kind("<!DOCTYPE testcase SYSTEM \"x\">\n<testcase/>"), Kind::Other);
        assert_eq!(kind("<?xml version=\"1.0\"?>\n<!DOCTYPE testcase>\n<testcase/>"), Kind::Other);
        assert_eq!(kind(""), Kind::Other);
    }

    #[test]
    fn metadata_reads_back() {
        let metadata = Metadata {
            language: "C".into(),
            producer: "tandem <1>".into(),
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".into(),
            program_file: "a & b.c".into(),
            program_hash: "0".repeat(40),
            entry_function: "main".into(),
            architecture: "32bit".into(),
            creation_time: "2026-11-16T09:33:00Z".into(),
            input_suite: Some(("old.zip".into(), "ff".into())),
        };
        let text = write_metadata(&metadata);
        assert_eq!(kind(&text), Kind::Metadata);
        assert_eq!(parse_metadata(&text, "m.xml").unwrap(), metadata);
        let plain = Metadata { input_suite: None, ..metadata };
        assert_eq!(parse_metadata(&write_metadata(&plain), "m.xml").unwrap(), plain);
        let problem = parse_metadata(&text.replace("programhash", "hash"), "m.xml").unwrap_err();
        assert!(problem.message.contains("`<programhash>` is missing"), "{problem}");
    }
}
