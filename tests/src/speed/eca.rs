//! Programs as those of the event-condition-action category of SV-COMP: a state machine in global variables that reads
//! inputs from 1 to 6 in an endless loop. How many states it has is settable.

use super::writer::{PRELUDE, Writer};

const MODES: u64 = 5;
const RULES: u64 = 30;

/// `levels` is the number of values that one of the variables runs through: the states grow with it linearly.
pub fn machine(levels: u64) -> String {
    let mut w = Writer::new(7);
    w.line("// Reads inputs for ever. No input leads to the error.").line(PRELUDE);
    w.line("int mode = 0;\nint armed = 0;\nint level = 0;\nint last = 0;");
    w.line("int react(int input)\n{");
    let highest = levels.max(2) - 1;
    w.line(format!(
        "if (((input == 1) && (level < {highest})) && (last != 1)) {{\nlevel = level + 1;\nlast = 1;\nreturn 20;\n}}"
    ));
    w.line("if (((input == 2) && (level > 0)) && (last != 2)) {\nlevel = level - 1;\nlast = 2;\nreturn 21;\n}");
    for number in 0..RULES {
        rule(&mut w, number);
    }
    w.line(format!("if ((level > {highest}) || (level < 0)) {{\nreach_error();\n}}\nreturn -2;\n}}"));
    w.line(
        "int main(void)
        {
            int output = -1;
            while (1) {
                int input = __VERIFIER_nondet_int();
                if ((input != 1) && (input != 2) && (input != 3) && (input != 4) && (input != 5) && (input != 6)) {
                    return -2;
                }
                output = react(input);
            }
        }",
    );
    w.finish()
}

fn rule(w: &mut Writer, number: u64) {
    let (input, mode) = (3 + number % 4, number % MODES);
    let armed = if w.below(2) == 0 { "(armed == 1)" } else { "!(armed == 1)" };
    let other = w.below(MODES);
    w.line(format!(
        "if ((((input == {input}) && {armed}) && ((mode == {mode}) || (mode == {other}))) && (last != {number})) {{"
    ));
    w.line(format!("mode = {};", w.below(MODES)));
    if w.below(2) == 0 {
        w.line(format!("armed = {};", w.below(2)));
    }
    w.line(format!("last = {};\nreturn {};\n}}", w.below(3), 20 + w.below(7)));
}
