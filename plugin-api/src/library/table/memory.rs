//! Functions on memory whose length is given.

use super::super::effects::{Folding, Models};
use super::super::entry::{Entry, pure, reads};

const EVERYWHERE: Models = Models::FORMULA.and(Models::SINGLE_RUN);

pub const FUNCTIONS: &[Entry] = &[
    reads("void *memcpy(void *to, const void *from, size_t count)")
        .also(&["memmove"])
        .writes_bytes(0, 2)
        .returning(0)
        .implicit()
        .modelled(EVERYWHERE),
    reads("void *__memcpy_chk(void *to, const void *from, size_t count, size_t room)")
        .also(&["__memmove_chk"])
        .writes_bytes(0, 2)
        .returning(0)
        .builtin(),
    reads("void *mempcpy(void *to, const void *from, size_t count)").writes_bytes(0, 2).implicit(),
    reads("void *__mempcpy(void *to, const void *from, size_t count)").writes_bytes(0, 2),
    reads("void *__mempcpy_chk(void *to, const void *from, size_t count, size_t room)")
        .writes_bytes(0, 2)
        .without(Models::EXECUTION)
        .builtin(),
    reads("void bcopy(const void *from, void *to, size_t count)").writes_bytes(1, 2).implicit(),
    reads("void *memccpy(void *to, const void *from, int last, size_t count)").writes_bytes(0, 3),
    pure("void *memset(void *to, int byte, size_t count)").fills(0, 1, 2).returning(0).implicit().modelled(EVERYWHERE),
    pure("void *__memset_chk(void *to, int byte, size_t count, size_t room)").fills(0, 1, 2).returning(0).builtin(),
    pure("void bzero(void *to, size_t count)").writes_bytes(0, 1).implicit(),
    pure("void __bzero(void *to, size_t count)").also(&["explicit_bzero"]).writes_bytes(0, 1),
    reads("int memcmp(const void *a, const void *b, size_t count)")
        .also(&["bcmp"])
        .between(-255, 255)
        .implicit()
        .folding(Folding::Constants)
        .promises(),
    reads("void *memchr(const void *in, int byte, size_t count)").implicit().folding(Folding::Constants).promises(),
    reads("void *memrchr(const void *in, int byte, size_t count)"),
    reads("void *rawmemchr(const void *in, int byte)"),
    reads("void *memmem(const void *in, size_t count, const void *part, size_t length)"),
    reads("void swab(const void *from, void *to, ssize_t count)").writes_targets().without(Models::EXECUTION),
];
