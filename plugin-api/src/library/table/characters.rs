//! `<ctype.h>`.

use super::super::effects::Folding;
use super::super::entry::{Entry, pure, stateful};

pub const FUNCTIONS: &[Entry] = &[
    pure("int isalpha(int c)")
        .also(&[
            "isupper", "islower", "isalnum", "isxdigit", "isspace", "isprint", "isgraph", "isblank", "iscntrl",
            "ispunct",
        ])
        .implicit()
        .promises(),
    pure("int isdigit(int c)").between(0, 1).implicit().folding(Folding::Any).promises().other_by_pointer(),
    pure("int isascii(int c)").between(0, 1).implicit().folding(Folding::Any).promises(),
    pure("int toascii(int c)").between(0, 127).implicit().folding(Folding::Any).promises(),
    pure("int toupper(int c)").also(&["tolower"]).implicit().promises(),
    pure("int _toupper(int c)").also(&["_tolower"]),
    stateful("const unsigned short **__ctype_b_loc(void)"),
    stateful("const int **__ctype_toupper_loc(void)"),
    stateful("const int **__ctype_tolower_loc(void)"),
];
