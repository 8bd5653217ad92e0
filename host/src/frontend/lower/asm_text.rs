//! Finds what the instructions of an assembly template write. Only instructions on a closed list are understood.

/// They write no memory and no operand: they order accesses, wait, compare, end the run, or write registers that a
/// program must list.
const WRITE_NOTHING: &[&str] = &[
    "bt", "cli", "clts", "cmp", "cpuid", "hlt", "lfence", "mfence", "nop", "out", "pause", "rdtsc", "sfence", "sti",
    "test", "ud2",
];

/// They write their last operand, which is the destination in gcc's notation.
const WRITE_LAST: &[&str] = &[
    "adc", "add", "and", "bsf", "bsr", "bswap", "cmpxchg", "dec", "in", "inc", "lea", "mov", "movs", "movz", "neg",
    "not", "or", "popcnt", "rol", "ror", "sal", "sar", "sbb", "shl", "shr", "sub", "xor",
];

/// They write both operands.
const WRITE_BOTH: &[&str] = &["xadd", "xchg"];

/// They write a bit of memory, counted from their last operand: which one, the first says.
const WRITE_BIT: &[&str] = &["btc", "btr", "bts"];

/// They choose how the processor computes from then on, which no operand and no clobber can say.
const CONTROL: &[&str] = &[
    "fclex", "finit", "fldcw", "fldenv", "fnclex", "fninit", "frstor", "fxrstor", "ldmxcsr", "popf", "std", "vldmxcsr",
    "xrstor",
];

/// The writes of a template.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Writes {
    /// Operands of the statement, as the template names them: a number, or a name in brackets.
    pub operands: Vec<String>,
    /// For each write of a single bit: the operand with the bit's number, and the one that it is counted from.
    pub bits: Vec<(String, String)>,
}

/// The writes of a template's instructions; `None` if one of them is not understood.
pub(super) fn writes(template: &str) -> Option<Writes> {
    let mut writes = Writes::default();
    for instruction in instructions(template) {
        note(&instruction, &mut writes)?;
    }
    Some(writes)
}

/// Whether control may leave the template: by a call, a return, or a jump to anything but its own numbered labels. Calls by
/// name are left to the convention for functions without a body if `is_foreign` says that the name is of one.
pub(super) fn leaves(template: &str, is_foreign: &dyn Fn(&str) -> bool) -> bool {
    instructions(template).iter().any(|instruction| {
        let (mnemonic, target) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
        let is_own = |target: &str| {
            let number = target.strip_suffix(['b', 'f']).unwrap_or_default();
            !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if mnemonic == "call" && target.trim().chars().all(is_name) && is_foreign(target.trim()) {
            return false;
        }
        let calls = ["call", "ret", "iret", "lret", "lcall", "syscall", "sysenter", "int"];
        calls.iter().any(|known| mnemonic.strip_prefix(known).is_some_and(|suffix| matches!(suffix, "" | "l" | "q")))
            || mnemonic.starts_with('j') && !is_own(target.trim())
    })
}

/// An instruction that chooses how the processor computes from then on, such as the direction in which it rounds.
pub(super) fn control_instruction(template: &str) -> Option<String> {
    let mnemonics =
        instructions(template).into_iter().filter_map(|line| Some(line.split_whitespace().next()?.to_owned()));
    let is_known = |mnemonic: &String| {
        let suffixes = ["", "64", "l", "q", "w"];
        CONTROL.iter().any(|known| mnemonic.strip_prefix(known).is_some_and(|rest| suffixes.contains(&rest)))
    };
    mnemonics.into_iter().find(is_known)
}

/// The statements of a template, without labels and the contents of other sections.
fn instructions(template: &str) -> Vec<String> {
    let text = template.replace("\\n", "\n").replace("\\t", " ");
    let mut list = Vec::new();
    let mut elsewhere = false;
    for statement in text.split(['\n', ';']) {
        let mut statement = statement.trim();
        while let Some((label, rest)) = statement.split_once(':') {
            if label.is_empty() || !label.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                break;
            }
            statement = rest.trim();
        }
        match statement.split_whitespace().next() {
            Some(".pushsection" | ".section") => elsewhere = true,
            Some(".popsection" | ".previous") => elsewhere = false,
            Some("lock" | "rep") if statement.trim() == "lock" || statement.trim() == "rep" => {}
            Some(_) if !elsewhere => list.push(statement.strip_prefix("lock ").unwrap_or(statement).trim().to_owned()),
            _ => {}
        }
    }
    list
}

fn note(instruction: &str, writes: &mut Writes) -> Option<()> {
    let (mnemonic, rest) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
    let operands: Vec<&str> = rest.split(',').map(str::trim).filter(|operand| !operand.is_empty()).collect();
    let is = |list: &[&str]| {
        list.iter().any(|known| match mnemonic.strip_prefix(known) {
            Some(suffix) => matches!(suffix, "" | "b" | "w" | "l" | "q" | "bl" | "wl" | "bw"),
            None => false,
        })
    };
    let sets_flag = mnemonic.starts_with("set") || mnemonic.starts_with("cmov");
    if is(WRITE_NOTHING) {
        return Some(());
    }
    if is(WRITE_BIT) {
        let [number, base] = operands.as_slice() else { return None };
        writes.bits.push((named(number)?, named(base)?));
        writes.operands.extend(named(base));
        return Some(());
    }
    let written = match operands.as_slice() {
        list if is(WRITE_BOTH) => list,
        [.., last] if is(WRITE_LAST) || sets_flag => std::slice::from_ref(last),
        _ => return None,
    };
    for operand in written.iter().filter(|operand| !operand.starts_with("%%")) {
        writes.operands.push(named(operand)?);
    }
    // Memory behind a segment such as `%%fs:` is not among the operands.
    written.iter().all(|operand| !operand.contains(':')).then_some(())
}

/// The operand in `%0`, `%b0` or `%[name]`; a number in the text itself is `$` with it.
fn named(operand: &str) -> Option<String> {
    if operand.starts_with('$') {
        return Some(operand.to_owned());
    }
    let operand = operand.strip_prefix('%')?;
    let plain = operand.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    if let Some(name) = plain.strip_prefix('[') {
        return name.strip_suffix(']').map(str::to_owned);
    }
    (!plain.is_empty() && plain.chars().all(|c| c.is_ascii_digit())).then(|| plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operands(template: &str) -> Option<Vec<String>> {
        writes(template).map(|writes| writes.operands)
    }

    #[test]
    fn known_instructions_write_their_destination() {
        assert_eq!(operands(""), Some(vec![]));
        assert_eq!(operands("mfence"), Some(vec![]));
        assert_eq!(operands("rep; nop"), Some(vec![]));
        assert_eq!(operands("movl %1,%0"), Some(vec!["0".into()]));
        assert_eq!(operands("outb %b0, %w1"), Some(vec![]));
        assert_eq!(operands("xchgw %w0, %1\\n"), Some(vec!["0".into(), "1".into()]));
        assert_eq!(operands("lock; incl %[counter]"), Some(vec!["counter".into()]));
        let section = ".pushsection .smp_locks,\\\"a\\\"\\n.balign 4\\n.long 671f - .\\n.popsection\\n671:\\n\\tlock; ";
        assert_eq!(operands(&format!("{section}decl %0; sete %1")), Some(vec!["0".into(), "1".into()]));
        let bit = writes(&format!("{section}bts %1,%0")).unwrap_or_default();
        assert_eq!(bit.bits, [("1".to_owned(), "0".to_owned())]);
    }

    #[test]
    fn calls_and_jumps_leave() {
        for template in ["call f", "lock; incl %0\\n\\tcall *%1", "jmp f", "int $0x80", "ret", "syscall"] {
            assert!(leaves(template, &|_| false), "{template}");
        }
        assert!(!leaves("call elsewhere", &|name| name == "elsewhere"));
        for template in ["1: decl %0\\n jne 1b", "intended", "nop"] {
            assert!(!leaves(template, &|_| false), "{template}");
        }
    }

    #[test]
    fn instructions_that_choose_how_to_compute_are_found() {
        assert_eq!(control_instruction("nop; ldmxcsr %0"), Some("ldmxcsr".to_owned()));
        assert_eq!(control_instruction("1: fldcw %0"), Some("fldcw".to_owned()));
        for template in ["", "stdcall", "std_ %0", "movl %1,%0", "fstcw %0"] {
            assert_eq!(control_instruction(template), None, "{template}");
        }
    }

    #[test]
    fn unknown_instructions_and_memory_that_is_no_operand_are_not_understood() {
        for template in
            ["call *%c2", "rep stosl", "movl $1, (%0)", "movl %0, 4(%1)", "movl %0, %%gs:8", "push %0", "movl %0, x"]
        {
            assert_eq!(writes(template), None, "{template}");
        }
    }
}
