//! C text in a form that lang-c accepts, with a map back to the user's positions. lang-c does not know comments and
//! some parts of GNU C; these are blanked or rewritten here, token by token.

mod edit;
mod keyword;
mod lex;
mod limits;
mod map;
mod pack;
mod preprocess;
mod rewrite;
mod structure;
#[cfg(test)]
mod tests;

pub use map::{Position, SourceMap};
pub use rewrite::{
    ASM_GOTO_CLOBBER, AUTO_TYPE, COMPUTED_GOTO, ELVIS, EMPTY, INT128, LABEL_ADDRESS, LOCAL_LABEL, NESTED_ATTRIBUTE,
    PACK_ATTRIBUTE, UINT128,
};

use crate::diagnostic::Diagnostic;
use map::Offsets;
use std::path::Path;
use tandem_plugin_api::program::DataModel;

/// Larger inputs are refused: lang-c needs about 250 bytes of memory per byte of text.
pub const MAX_BYTES: u64 = 16 << 20;

/// Text for lang-c.
#[derive(Clone, Debug)]
pub struct SourceText {
    pub text: String,
    pub map: SourceMap,
    /// There was an `asm("…");` at file scope, which is not in `text`.
    pub has_toplevel_asm: bool,
    /// Pragmas and attributes that are not in `text` and not known to be without meaning.
    pub unknown: Vec<(String, Position)>,
    /// The pragmas `weak` and `redefine_extname`.
    pub linkage: Vec<String>,
}

/// Reads a C file, running the preprocessor where the file has directives that need it, or macros that gcc predefines.
pub fn read(path: &Path, model: DataModel) -> Result<SourceText, Diagnostic> {
    // A name like `-o.c` must not become an option of gcc.
    let dashed = path.to_string_lossy().starts_with('-');
    let path = if dashed { &Path::new(".").join(path) } else { path };
    let name = path.display().to_string();
    let raw = read_bytes(path, &name)?;
    let draft = Draft::new(&raw, &name, false)?;
    if draft.lexed.directive.is_none() && !draft.names_predefined_macro() {
        return draft.finish();
    }
    let preprocessed = preprocess::run(path, model)?;
    check_content(&preprocessed, &name)?;
    Draft::new(&preprocessed, &name, true)?.finish()
}

/// Prepares text that needs no preprocessor.
pub fn prepare(raw: &str, name: &str) -> Result<SourceText, Diagnostic> {
    check_content(raw.as_bytes(), name)?;
    let draft = Draft::new(raw.as_bytes(), name, false)?;
    if let Some((at, directive)) = &draft.lexed.directive {
        let message = format!("'#{directive}' in text that should be preprocessed");
        let problem = Diagnostic::new(message).help("run `gcc -E` on the file first");
        return Err(place(&draft.map, problem, *at as usize));
    }
    draft.finish()
}

fn read_bytes(path: &Path, name: &str) -> Result<Vec<u8>, Diagnostic> {
    let unreadable = |error: std::io::Error| {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            std::io::ErrorKind::PermissionDenied => "permission to read the file is denied".to_owned(),
            _ => format!("the file cannot be read: {error}"),
        };
        Diagnostic::new(message).in_file(name).help("check the path and its permissions")
    };
    let metadata = std::fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(Diagnostic::new("this is a directory, not a C file").in_file(name).help("name a file in it"));
    }
    if !metadata.is_file() {
        return Err(Diagnostic::new("this is not a regular file").in_file(name).help("copy its text into a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(too_large(metadata.len(), name));
    }
    let raw = std::fs::read(path).map_err(unreadable)?;
    check_content(&raw, name)?;
    Ok(raw)
}

fn too_large(bytes: u64, name: &str) -> Diagnostic {
    Diagnostic::new(format!("the text has {} MiB; the limit is {} MiB", bytes >> 20, MAX_BYTES >> 20))
        .in_file(name)
        .help("verify a part of the program on its own")
}

fn check_content(raw: &[u8], name: &str) -> Result<(), Diagnostic> {
    if raw.len() as u64 > MAX_BYTES {
        return Err(too_large(raw.len() as u64, name));
    }
    if raw.contains(&0) {
        return Err(Diagnostic::new("this is a binary file, not C text").in_file(name).help("name a C source file"));
    }
    Ok(())
}

/// Adds where an offset of the text without splices stands.
fn place(map: &SourceMap, problem: Diagnostic, offset: usize) -> Diagnostic {
    let position = map.position_before_edits(offset);
    problem.in_file(map.file_name(position.file)).at(position.line, position.column)
}

/// Text that is split into tokens, but not yet rewritten.
struct Draft {
    lexed: lex::Lexed,
    map: SourceMap,
}

impl Draft {
    fn new(raw: &[u8], name: &str, preprocessed: bool) -> Result<Self, Diagnostic> {
        let mut map = SourceMap::new(raw, name, preprocessed);
        let (joined, splices) = join_lines(raw);
        map.set_splices(splices);
        let lexed = lex::lex(joined, &|problem, offset| place(&map, problem, offset))?;
        map.set_markers(&lexed.markers);
        Ok(Draft { lexed, map })
    }

    fn names_predefined_macro(&self) -> bool {
        let names = self.lexed.tokens.iter().filter(|token| token.kind == lex::Kind::Name);
        let mut words = names.map(|token| &self.lexed.text[token.start as usize..token.end as usize]);
        words.any(preprocess::is_predefined)
    }

    fn finish(mut self) -> Result<SourceText, Diagnostic> {
        let name = self.map.files()[0].name.clone();
        if self.lexed.tokens.iter().all(|token| token.kind == lex::Kind::Punct(lex::Punct::Semicolon)) {
            return Err(Diagnostic::new("the file contains no C declarations")
                .in_file(name)
                .help("name a C file that defines `main`"));
        }
        let map = &self.map;
        let at = |problem, offset| place(map, problem, offset);
        let partner = structure::pair_brackets(&self.lexed, &at, &|offset| map.position_before_edits(offset).line)?;
        limits::check(&self.lexed, &at)?;
        let rewritten = rewrite::rewrite(&self.lexed, &partner, &at)?;
        let unknown = self.lexed.unknown.iter().chain(&rewritten.unknown);
        let unknown = unknown.map(|(what, at)| (what.clone(), map.position_before_edits(*at as usize))).collect();
        let linkage = [std::mem::take(&mut self.lexed.linkage), rewritten.linkage].concat();
        let (text, offsets) = rewritten.edits.apply(self.lexed.text, &rewritten.prelude);
        self.map.set_edits(offsets);
        let text = String::from_utf8(text).map_err(|_| Diagnostic::new("the text is not UTF-8").in_file(name))?;
        Ok(SourceText { text, map: self.map, has_toplevel_asm: rewritten.has_toplevel_asm, unknown, linkage })
    }
}

/// Removes line splices (a backslash before the end of the line).
fn join_lines(raw: &[u8]) -> (Vec<u8>, Offsets) {
    let mut offsets = Offsets::default();
    let mut joined = Vec::with_capacity(raw.len());
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = raw[at..].iter().position(|&byte| byte == b'\\') {
        let backslash = at + found;
        at = backslash + 1;
        let blanks = raw[at..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
        if raw.get(at + blanks) == Some(&b'\n') {
            joined.extend_from_slice(&raw[copied..backslash]);
            copied = at + blanks + 1;
            offsets.verbatim(joined.len(), copied);
            at = copied;
        }
    }
    joined.extend_from_slice(&raw[copied..]);
    (joined, offsets)
}

/// Whether C, or GNU C, gives this word a meaning of its own.
pub(super) fn is_keyword(word: &str) -> bool {
    keyword::lookup(word.as_bytes()).is_some()
}

/// Whether this word may stand before the type in a declaration: `static`, `const`, …
pub(super) fn is_storage_or_qualifier(word: &str) -> bool {
    keyword::lookup(word.as_bytes()).is_some_and(keyword::Keyword::is_other_specifier)
}
