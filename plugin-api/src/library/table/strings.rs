//! Functions on strings that end with a null byte.

use super::super::effects::{Effects, Folding, Models};
use super::super::entry::{Entry, outside, reads};

pub const FUNCTIONS: &[Entry] = &[
    reads("size_t strlen(const char *text)")
        .implicit()
        .folding(Folding::Constants)
        .promises()
        .modelled(Models::SINGLE_RUN),
    reads("size_t strnlen(const char *text, size_t most)").implicit().folding(Folding::Constants).promises(),
    reads("char *strcpy(char *to, const char *from)").writes_targets().returning(0).implicit(),
    reads("char *stpcpy(char *to, const char *from)").writes_targets().implicit(),
    reads("char *__stpcpy(char *to, const char *from)").writes_targets(),
    reads("char *strncpy(char *to, const char *from, size_t most)").writes_bytes(0, 2).returning(0).implicit(),
    reads("char *stpncpy(char *to, const char *from, size_t most)")
        .writes_bytes(0, 2)
        .without(Models::EXECUTION)
        .implicit(),
    reads("char *strcat(char *to, const char *from)").writes_targets().returning(0).implicit(),
    reads("char *strncat(char *to, const char *from, size_t most)").writes_targets().returning(0).implicit(),
    reads("char *__strcpy_chk(char *to, const char *from, size_t room)").writes_targets().returning(0).builtin(),
    reads("char *__strncpy_chk(char *to, const char *from, size_t most, size_t room)")
        .writes_bytes(0, 2)
        .returning(0)
        .builtin(),
    reads("char *__strcat_chk(char *to, const char *from, size_t room)").writes_targets().returning(0).builtin(),
    reads("char *__stpcpy_chk(char *to, const char *from, size_t room)")
        .writes_targets()
        .without(Models::EXECUTION)
        .builtin(),
    reads("char *__strncat_chk(char *to, const char *from, size_t most, size_t room)")
        .also(&["__stpncpy_chk"])
        .writes_targets()
        .without(Models::EXECUTION)
        .builtin(),
    reads("int strcmp(const char *a, const char *b)")
        .also(&["strcasecmp"])
        .between(-255, 255)
        .implicit()
        .folding(Folding::Constants)
        .promises(),
    reads("int strncmp(const char *a, const char *b, size_t most)")
        .also(&["strncasecmp"])
        .between(-255, 255)
        .implicit()
        .folding(Folding::Constants)
        .promises(),
    // In the C locale, collation is comparison.
    reads("int strcoll(const char *a, const char *b)").between(-255, 255),
    outside("int strverscmp(const char *a, const char *b)"),
    reads("char *strchr(const char *text, int c)")
        .also(&["strrchr", "index", "rindex"])
        .implicit()
        .folding(Folding::Constants)
        .promises(),
    reads("char *strchrnul(const char *text, int c)"),
    reads("char *strstr(const char *text, const char *part)").implicit().folding(Folding::Constants).promises(),
    reads("size_t strspn(const char *text, const char *set)")
        .also(&["strcspn"])
        .implicit()
        .folding(Folding::Constants)
        .promises(),
    reads("char *strpbrk(const char *text, const char *set)").implicit().folding(Folding::Constants).promises(),
    // They go on in a text of an earlier call.
    reads("char *strtok(char *text, const char *set)").with(Effects::KEEPS_STATE).writes_anything(),
    reads("char *strtok_r(char *text, const char *set, char **next)").also(&["__strtok_r"]).writes_anything(),
    reads("char *strsep(char **next, const char *set)").writes_anything(),
];
