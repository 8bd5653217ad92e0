//! Looks into a file without loading it: a library runs code as soon as it is loaded, so whatever its bytes can show is
//! checked before. Reads only headers, the dynamic symbols and the stamp.

use super::{Refusal, RefusalKind};
use object::Endianness;
use object::elf::{self, FileHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, Sym};
use object::read::{ReadCache, ReadRef, StringTable};
use std::fs::File;
use std::path::Path;
use tandem_plugin_api::abi::{STAMP_SYMBOL, Stamp, StampProblem};
use tandem_plugin_api::descriptor::API_VERSION;

type Header = FileHeader64<Endianness>;

#[cfg(target_arch = "x86_64")]
const MACHINE: u16 = elf::EM_X86_64;
#[cfg(target_arch = "aarch64")]
const MACHINE: u16 = elf::EM_AARCH64;

const REBUILD: &str = "rebuild the plugin, or get the file again";

/// A refusal without its file.
type Found<T> = Result<T, (RefusalKind, String, String)>;

/// Refuses files that are not plugin libraries for this host.
pub fn inspect(file: &Path) -> Result<(), Refusal> {
    let refuse = |(kind, cause, remedy): (RefusalKind, String, String)| Refusal::new(file, kind, cause, remedy);
    let unreadable = |error: std::io::Error| {
        (RefusalKind::Unreadable, format!("it cannot be read: {error}"), "make the file readable for you".to_string())
    };
    let opened = File::open(file).map_err(|error| refuse(unreadable(error)))?;
    let length = opened.metadata().map_err(|error| refuse(unreadable(error)))?.len();
    inspect_data(&ReadCache::new(opened), length).map_err(refuse)
}

fn fail<T>(kind: RefusalKind, cause: impl Into<String>, remedy: impl Into<String>) -> Found<T> {
    Err((kind, cause.into(), remedy.into()))
}

fn truncated<T>(what: &str) -> Found<T> {
    fail(RefusalKind::Truncated, format!("the file is truncated: {what}"), REBUILD)
}

fn inspect_data<'data, R: ReadRef<'data>>(data: R, length: u64) -> Found<()> {
    let header = check_header(data, length)?;
    let endian = match header.endian() {
        Ok(endian) => endian,
        Err(_) => return fail(RefusalKind::OtherMachine, "it has another byte order than this machine", REBUILD),
    };
    check_bounds(header, endian, data, length)?;
    let stamp = read_stamp(header, endian, data)?;
    match Stamp::check(&stamp) {
        Ok(_) => Ok(()),
        Err(StampProblem::NotAStamp) => {
            fail(RefusalKind::NotAPlugin, format!("its symbol {STAMP_SYMBOL} holds no plugin stamp"), REBUILD)
        }
        Err(StampProblem::Incompatible(found)) => {
            let remedy = if found.major == API_VERSION.major {
                "use a newer tandem, or rebuild the plugin against this one's tandem-plugin-api"
            } else {
                "rebuild the plugin against this tandem's tandem-plugin-api; tandem's CHANGELOG.md says what its authors must change for a new major version"
            };
            let cause = format!("it was built for plugin API {found}, and this tandem has {API_VERSION}");
            fail(RefusalKind::OtherApiVersion, cause, remedy)
        }
    }
}

fn check_header<'data, R: ReadRef<'data>>(data: R, length: u64) -> Found<&'data Header> {
    const NAME_PLUGIN: &str = "name a plugin's .so file";
    if length == 0 {
        return fail(RefusalKind::Truncated, "the file is empty", REBUILD);
    }
    let magic = data.read_bytes_at(0, length.min(elf::ELFMAG.len() as u64));
    match magic {
        Ok(bytes) if bytes == elf::ELFMAG => {}
        Ok(bytes) if elf::ELFMAG.starts_with(bytes) => return truncated("it ends inside its header"),
        _ => return fail(RefusalKind::NotALibrary, "it is not an ELF file", NAME_PLUGIN),
    }
    let Ok(class) = data.read_bytes_at(elf::ELFMAG.len() as u64, 1) else {
        return truncated("it ends inside its header");
    };
    if class != [elf::ELFCLASS64] {
        return fail(RefusalKind::OtherMachine, "it is not a 64-bit library", "rebuild the plugin for this machine");
    }
    if length < size_of::<Header>() as u64 {
        return truncated("it ends inside its header");
    }
    let Ok(header) = Header::parse(data) else {
        return fail(RefusalKind::NotALibrary, "its ELF header makes no sense", REBUILD);
    };
    let endian = header.endian().unwrap_or_default();
    if header.e_machine(endian) != MACHINE || !header.is_little_endian() {
        let cause = format!("it is for another kind of machine (ELF machine {})", header.e_machine(endian));
        return fail(RefusalKind::OtherMachine, cause, "rebuild the plugin for this machine");
    }
    if header.e_type(endian) != elf::ET_DYN {
        return fail(RefusalKind::NotALibrary, "it is an ELF file, but not a shared library", NAME_PLUGIN);
    }
    Ok(header)
}

/// Everything that the headers refer to must be inside the file: otherwise the dynamic linker would crash.
fn check_bounds<'data, R: ReadRef<'data>>(header: &Header, endian: Endianness, data: R, length: u64) -> Found<()> {
    let inside = |offset: u64, size: u64| offset.checked_add(size).is_some_and(|end| end <= length);
    let Ok(segments) = header.program_headers(endian, data) else {
        return truncated("its program headers are missing");
    };
    if !segments.iter().all(|segment| inside(segment.p_offset(endian), segment.p_filesz(endian))) {
        return truncated("a segment ends after the end of the file");
    }
    let Ok(sections) = header.section_headers(endian, data) else {
        return truncated("its section headers are missing");
    };
    let fits = |section: &elf::SectionHeader64<Endianness>| {
        section.sh_type(endian) == elf::SHT_NOBITS || inside(section.sh_offset(endian), section.sh_size(endian))
    };
    if !sections.iter().all(fits) {
        return truncated("a section ends after the end of the file");
    }
    if !segments.iter().any(|segment| segment.p_type(endian) == elf::PT_LOAD) {
        return fail(RefusalKind::NotALibrary, "it has nothing to load", REBUILD);
    }
    Ok(())
}

/// The bytes under the stamp's symbol, found as the dynamic linker would find them.
fn read_stamp<'data, R: ReadRef<'data>>(header: &'data Header, endian: Endianness, data: R) -> Found<Vec<u8>> {
    let not_a_plugin = || {
        let cause = format!("it is a shared library, but not a tandem plugin (it does not export {STAMP_SYMBOL})");
        (RefusalKind::NotAPlugin, cause, "name a plugin's .so file; a plugin ends with `export_plugin!`".to_string())
    };
    let address = stamp_address(header, endian, data).ok_or_else(not_a_plugin)?;
    let segments = header.program_headers(endian, data).map_err(|_| not_a_plugin())?;
    for segment in segments.iter().filter(|segment| segment.p_type(endian) == elf::PT_LOAD) {
        let Some(into) = address.checked_sub(segment.p_vaddr(endian)) else { continue };
        if into.saturating_add(Stamp::SIZE as u64) > segment.p_filesz(endian) {
            continue;
        }
        let offset = segment.p_offset(endian).saturating_add(into);
        return data.read_bytes_at(offset, Stamp::SIZE as u64).map(<[u8]>::to_vec).map_err(|()| not_a_plugin());
    }
    Err(not_a_plugin())
}

fn stamp_address<'data, R: ReadRef<'data>>(header: &'data Header, endian: Endianness, data: R) -> Option<u64> {
    let sections = header.sections(endian, data).ok()?;
    let symbols = sections.symbols(endian, data, elf::SHT_DYNSYM).ok()?;
    let strings: StringTable<'data, R> = symbols.strings();
    let wanted = |symbol: &&elf::Sym64<Endianness>| {
        !symbol.is_undefined(endian)
            && symbol.st_size(endian) >= Stamp::SIZE as u64
            && symbol.name(endian, strings).is_ok_and(|name| name == STAMP_SYMBOL.as_bytes())
    };
    symbols.iter().find(wanted).map(|symbol| symbol.st_value(endian))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(bytes: &[u8]) -> RefusalKind {
        inspect_data(bytes, bytes.len() as u64).unwrap_err().0
    }

    #[test]
    fn what_is_no_library_is_told_apart() {
        assert_eq!(kind_of(b""), RefusalKind::Truncated);
        assert_eq!(kind_of(b"\x7fE"), RefusalKind::Truncated);
        assert_eq!(kind_of(b"\x7fELF"), RefusalKind::Truncated);
        assert_eq!(kind_of(b"\x7fELF\x02\x01\x01"), RefusalKind::Truncated);
        assert_eq!(kind_of(b"\x7fELF\x01\x01\x01 and so on"), RefusalKind::OtherMachine);
        assert_eq!(kind_of(b"#!/bin/sh\necho hello\n"), RefusalKind::NotALibrary);
        assert_eq!(kind_of(&[0; 4096]), RefusalKind::NotALibrary);
    }

    /// Every prefix and every single wrong byte of this test's own executable: refused or not, but never a panic.
    #[test]
    fn damaged_files_never_panic() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        for length in (0..own.len().min(1 << 20)).step_by(997) {
            assert!(inspect_data(&own[..length], length as u64).is_err());
        }
        for position in 0..512 {
            let mut damaged = own.clone();
            damaged[position] ^= 0xff;
            let _ = inspect_data(damaged.as_slice(), damaged.len() as u64);
        }
    }
}
