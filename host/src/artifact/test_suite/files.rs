//! Test suites on disk: finds the XML files in a directory or a zip file, and writes both. Zip files are read in
//! memory, up to limits, and never unpacked: no path in them is used.

use super::xml::{self, Kind};
use super::{Metadata, NamedTest, SuiteFile};
use crate::diagnostic::Diagnostic;
use std::fs::{self, File};
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use tandem_plugin_api::artifact::TestSuite;
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

/// A test of a million inputs has some 20 MB.
const MOST_BYTES_OF_FILE: u64 = 64 << 20;
const MOST_BYTES: u64 = 2 << 30;
const METADATA: &str = "metadata.xml";

/// Reads a suite from a directory or a zip file. Files that cannot be used are listed in it; an error means that no
/// file can be used.
pub fn read(path: &Path) -> Result<SuiteFile, Diagnostic> {
    let unreadable = |what: String| {
        Diagnostic::new(format!("the test suite cannot be read: {what}"))
            .in_file(path.display().to_string())
            .help("name a directory or a zip file with test cases")
    };
    let metadata = fs::metadata(path).map_err(|error| unreadable(error.to_string()))?;
    let mut suite = Collector { origin: path.display().to_string(), found: SuiteFile::default(), bytes: 0 };
    if metadata.is_dir() {
        suite.directory(path).map_err(unreadable)?;
    } else {
        suite.archive(path).map_err(unreadable)?;
    }
    if suite.found.tests.is_empty() {
        let first = suite.found.problems.first().map_or(String::new(), |problem| format!("; the first: {problem}"));
        let unusable = match suite.found.problems.len() {
            0 => "it holds no test cases".to_string(),
            count => format!("it holds no test case that can be used, and {count} files that look like one{first}"),
        };
        return Err(unreadable(unusable));
    }
    Ok(suite.found)
}

struct Collector {
    origin: String,
    found: SuiteFile,
    bytes: u64,
}

impl Collector {
    fn directory(&mut self, root: &Path) -> Result<(), String> {
        let mut files = Vec::new();
        let mut open = vec![root.to_path_buf()];
        while let Some(folder) = open.pop() {
            let in_folder = |error: std::io::Error| format!("{}: {error}", folder.display());
            for entry in fs::read_dir(&folder).map_err(in_folder)? {
                let entry = entry.map_err(in_folder)?;
                // Links to folders are not followed: they may lead in circles.
                if entry.file_type().map_err(in_folder)?.is_dir() {
                    open.push(entry.path());
                } else if is_xml(&entry.path()) && entry.path().is_file() {
                    files.push(entry.path());
                }
            }
        }
        files.sort();
        for path in files {
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            let file = File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            self.file(name, file)?;
        }
        Ok(())
    }

    fn archive(&mut self, path: &Path) -> Result<(), String> {
        let file = File::open(path).map_err(|error| error.to_string())?;
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|error| error.to_string())?;
        let mut entries = Vec::new();
        for index in 0..archive.len() {
            let name =
                archive.name_for_index(index).and_then(Result::ok).map_or(String::new(), |name| name.into_owned());
            if is_xml(Path::new(&name)) && !name.ends_with('/') {
                entries.push((name, index));
            }
        }
        entries.sort();
        for (name, index) in entries {
            match archive.by_index(index) {
                Ok(entry) => self.file(name, entry)?,
                Err(error) => self.refuse(&name, &error.to_string()),
            }
        }
        Ok(())
    }

    /// Takes over one file; an error is an error of the whole suite.
    fn file(&mut self, name: String, content: impl Read) -> Result<(), String> {
        let mut bytes = Vec::new();
        if let Err(error) = content.take(MOST_BYTES_OF_FILE + 1).read_to_end(&mut bytes) {
            self.refuse(&name, &error.to_string());
            return Ok(());
        }
        self.bytes += bytes.len() as u64;
        if self.bytes > MOST_BYTES {
            return Err(format!("it holds more than {} MiB", MOST_BYTES >> 20));
        }
        if bytes.len() as u64 > MOST_BYTES_OF_FILE {
            self.refuse(&name, &format!("it has more than {} MiB", MOST_BYTES_OF_FILE >> 20));
            return Ok(());
        }
        match String::from_utf8(bytes) {
            Ok(text) => self.text(name, text.strip_prefix('\u{feff}').unwrap_or(&text)),
            Err(_) => self.refuse(&name, "it is not UTF-8 text"),
        }
        Ok(())
    }

    fn text(&mut self, name: String, text: &str) {
        let is_metadata = Path::new(&name).file_name().is_some_and(|file| file == METADATA);
        let file = format!("{}/{name}", self.origin);
        match xml::kind(text) {
            _ if is_metadata && self.found.metadata.is_none() => match xml::parse_metadata(text, &file) {
                Ok(metadata) => self.found.metadata = Some(metadata),
                Err(problem) => self.found.problems.push(problem),
            },
            Kind::Test => match xml::parse_test(text, &file) {
                Ok(test) => self.found.tests.push(NamedTest { name, test }),
                Err(problem) => self.found.problems.push(problem),
            },
            Kind::Metadata => {}
            Kind::Other => {
                let help = "a test case has `<?xml …?>` as its first line, and `<!DOCTYPE testcase …>` as its second";
                let problem = Diagnostic::new("this is not a test case").in_file(file).at(1, 1).help(help);
                self.found.problems.push(problem);
            }
        }
    }

    fn refuse(&mut self, name: &str, why: &str) {
        let problem = Diagnostic::new(format!("the file cannot be read: {why}"));
        self.found.problems.push(problem.in_file(format!("{}/{name}", self.origin)).help("remove it, or make it anew"));
    }
}

fn is_xml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("xml"))
}

/// The files of a suite: names and texts.
fn contents(suite: &TestSuite, metadata: &Metadata) -> impl Iterator<Item = (String, String)> {
    let digits = suite.tests.len().to_string().len().max(4);
    let tests = suite.tests.iter().enumerate().map(move |(at, test)| {
        // Names in alphabetical order are the tests in the order in which they were found.
        (format!("testcase-{:0digits$}.xml", at + 1), xml::write_test(test))
    });
    std::iter::once((METADATA.to_string(), xml::write_metadata(metadata))).chain(tests)
}

/// Writes a suite as a directory, in the place of one that an earlier run wrote there.
pub fn write_directory(directory: &Path, suite: &TestSuite, metadata: &Metadata) -> Result<(), Diagnostic> {
    clear(directory)?;
    fs::create_dir_all(directory).map_err(|error| unwritable(directory, &error.to_string()))?;
    for (name, text) in contents(suite, metadata) {
        let path = directory.join(name);
        fs::write(&path, text).map_err(|error| unwritable(&path, &error.to_string()))?;
    }
    Ok(())
}

/// The files of a suite that [`write_directory`] wrote, and no others.
pub fn written_files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let is_ours = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name == METADATA || (name.starts_with("testcase-") && name.ends_with(".xml"))
    };
    entries.flatten().map(|entry| entry.path()).filter(is_ours).collect()
}

/// Removes the [`written_files`] of a suite.
pub fn clear(directory: &Path) -> Result<(), Diagnostic> {
    for path in written_files(directory) {
        fs::remove_file(&path).map_err(|error| unwritable(&path, &error.to_string()))?;
    }
    // An empty directory would look like a suite; one with files of others stays.
    let _ = fs::remove_dir(directory);
    Ok(())
}

/// Writes a suite as a zip file.
pub fn write_zip(path: &Path, suite: &TestSuite, metadata: &Metadata) -> Result<(), Diagnostic> {
    let failed = |what: String| unwritable(path, &what);
    let file = File::create(path).map_err(|error| failed(error.to_string()))?;
    let mut archive = ZipWriter::new(file);
    // No time of day: the same suite gives the same file.
    let options = SimpleFileOptions::default();
    for (name, text) in contents(suite, metadata) {
        archive.start_file(name, options).map_err(|error| failed(error.to_string()))?;
        archive.write_all(text.as_bytes()).map_err(|error| failed(error.to_string()))?;
    }
    archive.finish().map_err(|error| failed(error.to_string()))?;
    Ok(())
}

fn unwritable(path: &Path, what: &str) -> Diagnostic {
    let path: PathBuf = path.into();
    Diagnostic::new(format!("the test suite cannot be written: {what}"))
        .in_file(path.display().to_string())
        .help("check the permissions, and that there is room")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tandem_plugin_api::artifact::{InputValue, TestCase};

    fn suite(tests: usize) -> TestSuite {
        let value = |at: usize| InputValue::integer(32, true, at as i128);
        TestSuite { tests: (0..tests).map(|at| TestCase::of([value(at)])).collect() }
    }

    fn first_values(suite: &SuiteFile) -> Vec<String> {
        suite.tests.iter().map(|named| named.test.inputs[0].value.to_string()).collect()
    }

    #[test]
    fn directories_and_archives_read_back_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let metadata = Metadata { architecture: "64bit".into(), ..Metadata::default() };
        let (directory, archive) = (folder.path().join("suite"), folder.path().join("suite.zip"));
        write_directory(&directory, &suite(12), &metadata).unwrap();
        write_zip(&archive, &suite(12), &metadata).unwrap();
        for path in [&directory, &archive] {
            let read = read(path).unwrap();
            assert_eq!(first_values(&read), (0..12).map(|at| at.to_string()).collect::<Vec<_>>());
            assert_eq!(read.metadata.as_ref(), Some(&metadata));
            assert_eq!(read.metadata.unwrap().data_model(), Some(tandem_plugin_api::program::DataModel::Lp64));
            assert!(read.problems.is_empty());
        }
        let bytes = fs::read(&archive).unwrap();
        write_zip(&archive, &suite(12), &metadata).unwrap();
        assert_eq!(bytes, fs::read(&archive).unwrap());
        // A smaller suite in the same place leaves nothing of the larger one, and other files alone.
        fs::write(directory.join("notes.txt"), "mine").unwrap();
        write_directory(&directory, &suite(1), &metadata).unwrap();
        assert_eq!(read(&directory).unwrap().tests.len(), 1);
        clear(&directory).unwrap();
        assert_eq!(fs::read_dir(&directory).unwrap().count(), 1);
    }

    #[test]
    fn any_folders_and_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let test = xml::write_test(&suite(1).tests[0]);
        write("b/deep/er/t.xml", &test.replace('0', "7"));
        write("a/t.xml", &format!("\u{feff}{test}"));
        write("a/one-line.xml", &test.replace("?>\n<!DOCTYPE", "?><!DOCTYPE"));
        write("a/broken.xml", &test.replace("</testcase>", ""));
        write("a/program.c", "int main(void) { }");
        write("results.xml", "<?xml version=\"1.0\"?>\n<result/>\n");
        fs::write(folder.path().join("latin.xml"), b"<?xml \xe4").unwrap();
        let read = read(folder.path()).unwrap();
        assert_eq!(
            read.tests.iter().map(|named| named.name.as_str()).collect::<Vec<_>>(),
            ["a/t.xml", "b/deep/er/t.xml"]
        );
        assert!(read.metadata.is_none());
        let mut wrong: Vec<_> = read.problems.iter().map(|problem| problem.file.clone().unwrap()).collect();
        wrong.sort();
        let named = |name: &str| format!("{}/{name}", folder.path().display());
        assert_eq!(wrong, ["a/broken.xml", "a/one-line.xml", "latin.xml", "results.xml"].map(named));
    }

    #[test]
    fn what_is_no_suite_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let message = |path: &Path| read(path).unwrap_err().to_string();
        assert!(message(folder.path()).contains("holds no test cases"));
        assert!(message(&folder.path().join("nowhere")).contains("cannot be read"));
        let file = folder.path().join("x.zip");
        fs::write(&file, "PK, but no zip").unwrap();
        assert!(message(&file).contains("cannot be read"));
        fs::write(folder.path().join("x.xml"), "<testcase/>").unwrap();
        assert!(message(folder.path()).contains("no test case that can be used, and 1 files"));
    }
}
