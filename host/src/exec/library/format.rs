//! The text that `printf` formats give. Conversions are taken apart here; single numbers are printed by the host's C
//! library, so that every digit is glibc's.

use super::call::Address;
use super::libm::{Number, print_number};
use super::{Call, Stop};
use tandem_plugin_api::library::has_count;
use tandem_plugin_api::program::DataModel;

/// More text than any sensible program prints at once.
const MOST: usize = 16 << 20;
/// The largest width or precision.
const MOST_ROOM: usize = 1 << 16;

/// What the text is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// It or its length is needed.
    Text,
    /// The text is not used: only the effects of conversions on the program matter.
    Effect,
}

/// Integer sizes by length modifier.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Size {
    Char,
    Short,
    Int,
    Long,
    LongLong,
    LongDouble,
}

/// Where the values to be printed are.
#[derive(Clone, Copy)]
pub enum Arguments {
    /// Arguments of the call, from this index on.
    Direct(usize),
    /// In memory, as the caller of a variadic function of the program stores them, from this address on.
    Stored(Address),
}

/// One conversion: `%` flags width precision length letter.
struct Conversion {
    flags: Vec<u8>,
    width: usize,
    precision: Option<usize>,
    size: Size,
    letter: u8,
}

/// Goes through a format and its arguments.
struct Formatter<'c, 'a> {
    call: &'c mut Call<'a>,
    format: Vec<u8>,
    /// Index into the format.
    at: usize,
    arguments: Arguments,
    purpose: Purpose,
    text: Vec<u8>,
}

/// The text of the format that argument `index` points to, with the arguments behind it.
pub fn format(call: &mut Call<'_>, index: usize, purpose: Purpose) -> Result<Vec<u8>, Stop> {
    format_with(call, index, Arguments::Direct(index + 1), purpose)
}

/// The same for functions that have a `va_list` behind the format: a pointer to the next value, or to a struct with it.
pub fn format_list(call: &mut Call<'_>, index: usize, purpose: Purpose) -> Result<Vec<u8>, Stop> {
    let list = call.pointer(index + 1)?;
    let next = match call.model {
        DataModel::Ilp32 => list,
        DataModel::Lp64 => call.read_word(list)?,
    };
    format_with(call, index, Arguments::Stored(next), purpose)
}

fn format_with(call: &mut Call<'_>, index: usize, arguments: Arguments, purpose: Purpose) -> Result<Vec<u8>, Stop> {
    let address = call.pointer(index)?;
    let format = call.string(address)?.to_vec();
    let purpose = if has_count(&format) { Purpose::Text } else { purpose };
    let mut formatter = Formatter { call, format, at: 0, arguments, purpose, text: Vec::new() };
    match formatter.run() {
        // An argument that is printed in a way not known here does no harm if the text is not used.
        Err(Stop::Unsupported) if purpose == Purpose::Effect => Ok(Vec::new()),
        Err(stop) => Err(stop),
        Ok(()) => Ok(formatter.text),
    }
}

impl Formatter<'_, '_> {
    fn run(&mut self) -> Result<(), Stop> {
        while let Some(byte) = self.next() {
            match byte {
                b'%' => self.conversion()?,
                byte if self.purpose == Purpose::Text => self.text.push(byte),
                _ => {}
            }
            if self.text.len() > MOST {
                return Err(Stop::Unsupported);
            }
        }
        Ok(())
    }

    fn next(&mut self) -> Option<u8> {
        let byte = self.format.get(self.at).copied();
        self.at += 1;
        byte
    }

    fn peek(&self) -> Option<u8> {
        self.format.get(self.at).copied()
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let found = self.format.get(self.at..).is_some_and(|rest| rest.starts_with(text));
        self.at += if found { text.len() } else { 0 };
        found
    }

    /// The next value, which has this many bytes where it is stored.
    fn next_argument(&mut self, bytes: u64) -> Result<u64, Stop> {
        match self.arguments {
            Arguments::Direct(index) => {
                self.arguments = Arguments::Direct(index + 1);
                self.call.argument(index)
            }
            // The call has too few arguments.
            Arguments::Stored(0) => Err(Stop::Unsupported),
            Arguments::Stored(address) => {
                let slot = match self.call.model {
                    DataModel::Ilp32 => 4,
                    DataModel::Lp64 => 16,
                };
                self.arguments = Arguments::Stored(address + bytes.next_multiple_of(slot));
                let mut value = [0; 8];
                value[..bytes as usize].copy_from_slice(self.call.bytes(address, bytes)?);
                Ok(u64::from_le_bytes(value))
            }
        }
    }

    /// The bytes of an integer of this size as an argument.
    fn promoted(&self, size: Size) -> u64 {
        match size {
            Size::Long => self.call.model.word(),
            Size::LongLong => 8,
            _ => 4,
        }
    }

    fn conversion(&mut self) -> Result<(), Stop> {
        let conversion = self.parse()?;
        match conversion.letter {
            b'%' => self.text.push(b'%'),
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => {
                let value = self.next_argument(self.promoted(conversion.size))?;
                self.integer(&conversion, value)?;
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' if conversion.size != Size::LongDouble => {
                let value = f64::from_bits(self.next_argument(8)?);
                self.number(&conversion, "", Number::Float(value))?;
            }
            b'c' if conversion.size == Size::Int => {
                let byte = self.next_argument(4)? as u8;
                self.padded(&conversion, &[byte])?;
            }
            b's' if conversion.size == Size::Int => self.string(&conversion)?,
            b'p' => self.pointer(conversion)?,
            b'n' => self.count(&conversion)?,
            _ => return Err(Stop::Unsupported),
        }
        Ok(())
    }

    fn parse(&mut self) -> Result<Conversion, Stop> {
        let mut flags = Vec::new();
        while let Some(flag @ (b'-' | b'+' | b' ' | b'#' | b'0')) = self.peek() {
            if !flags.contains(&flag) {
                flags.push(flag);
            }
            self.at += 1;
        }
        let width = self.amount()?.unwrap_or(0);
        if width < 0 {
            flags.push(b'-');
        }
        let precision = match self.eat(b".") {
            true => Some(self.amount()?.unwrap_or(0)),
            false => None,
        };
        let size = self.size();
        let letter = self.next().ok_or(Stop::Unsupported)?;
        let width = width.unsigned_abs() as usize;
        // A negative precision counts as no precision.
        let precision = precision.and_then(|precision| usize::try_from(precision).ok());
        let is_text = letter == b's';
        if width > MOST_ROOM || precision.is_some_and(|precision| precision > MOST_ROOM && !is_text) {
            return Err(Stop::Unsupported);
        }
        Ok(Conversion { flags, width, precision, size, letter })
    }

    /// A width or precision: digits, or `*` for an argument.
    fn amount(&mut self) -> Result<Option<i32>, Stop> {
        if self.eat(b"*") {
            return Ok(Some(self.next_argument(4)? as i32));
        }
        let mut amount: Option<i32> = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            let value = amount.unwrap_or(0).checked_mul(10).and_then(|value| value.checked_add((digit - b'0').into()));
            amount = Some(value.ok_or(Stop::Unsupported)?);
            self.at += 1;
        }
        Ok(amount)
    }

    fn size(&mut self) -> Size {
        const SIZES: [(&[u8], Size); 9] = [
            (b"hh", Size::Char),
            (b"h", Size::Short),
            (b"ll", Size::LongLong),
            (b"l", Size::Long),
            (b"q", Size::LongLong),
            (b"j", Size::LongLong),
            (b"z", Size::Long),
            (b"t", Size::Long),
            (b"L", Size::LongDouble),
        ];
        SIZES.iter().find(|(modifier, _)| self.eat(modifier)).map_or(Size::Int, |(_, size)| *size)
    }

    fn integer(&mut self, conversion: &Conversion, value: u64) -> Result<(), Stop> {
        let bits = match conversion.size {
            Size::Char => 8,
            Size::Short => 16,
            Size::Int => 32,
            Size::Long => self.call.model.word() as u32 * 8,
            Size::LongLong => 64,
            Size::LongDouble => return Err(Stop::Unsupported),
        };
        let value = value << (64 - bits);
        let number = match conversion.letter {
            b'd' | b'i' => Number::Signed(value as i64 >> (64 - bits)),
            _ => Number::Unsigned(value >> (64 - bits)),
        };
        self.number(conversion, "ll", number)
    }

    fn number(&mut self, conversion: &Conversion, length: &str, number: Number) -> Result<(), Stop> {
        if self.purpose == Purpose::Effect {
            return Ok(());
        }
        let mut format = vec![b'%'];
        format.extend_from_slice(&conversion.flags);
        if conversion.width > 0 {
            format.extend_from_slice(conversion.width.to_string().as_bytes());
        }
        if let Some(precision) = conversion.precision {
            format.extend_from_slice(format!(".{precision}").as_bytes());
        }
        format.extend_from_slice(length.as_bytes());
        format.push(conversion.letter);
        let room = conversion.width + conversion.precision.unwrap_or(0);
        self.text.extend(print_number(&format, number, room));
        Ok(())
    }

    fn padded(&mut self, conversion: &Conversion, text: &[u8]) -> Result<(), Stop> {
        if self.purpose == Purpose::Effect {
            return Ok(());
        }
        let padding = conversion.width.saturating_sub(text.len());
        let (before, after) = if conversion.flags.contains(&b'-') { (0, padding) } else { (padding, 0) };
        self.text.resize(self.text.len() + before, b' ');
        self.text.extend_from_slice(text);
        self.text.resize(self.text.len() + after, b' ');
        Ok(())
    }

    fn string(&mut self, conversion: &Conversion) -> Result<(), Stop> {
        let limit = conversion.precision.map_or(u64::MAX, |precision| precision as u64);
        match self.next_pointer()? {
            // As glibc does it: `(null)`, or nothing if the precision has no room for all of it.
            0 => self.padded(conversion, if limit >= 6 { b"(null)" } else { b"" }),
            address => {
                let length = self.call.length_within(address, limit)?;
                if length > MOST as u64 {
                    return Err(Stop::Unsupported);
                }
                let text = self.call.bytes(address, length)?.to_vec();
                self.padded(conversion, &text)
            }
        }
    }

    fn pointer(&mut self, mut conversion: Conversion) -> Result<(), Stop> {
        match self.next_pointer()? {
            0 => self.padded(&conversion, b"(nil)"),
            address => {
                conversion.letter = b'x';
                conversion.flags.push(b'#');
                self.number(&conversion, "ll", Number::Unsigned(address))
            }
        }
    }

    fn next_pointer(&mut self) -> Result<Address, Stop> {
        let value = self.next_argument(self.call.model.word())?;
        Ok(self.call.size_result(value))
    }

    /// Writes the number of characters so far.
    fn count(&mut self, conversion: &Conversion) -> Result<(), Stop> {
        let address = self.next_pointer()?;
        let count = (self.text.len() as u64).to_le_bytes();
        let width = match conversion.size {
            Size::Char => 1,
            Size::Short => 2,
            Size::Int => 4,
            Size::Long => self.call.model.word() as usize,
            Size::LongLong => 8,
            Size::LongDouble => return Err(Stop::Unsupported),
        };
        self.call.write(address, &count[..width])
    }
}
