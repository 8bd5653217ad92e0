//! `malloc` and its relatives.

use super::super::effects::{Effects, Life, Models};
use super::super::entry::{Entry, reads, stateful};

const ERRNO: Effects = Effects::SETS_ERRNO;
const STATE: Effects = Effects::KEEPS_STATE;
const SERVES: Effects = Effects::SERVES_MALLOC.and(ERRNO);
const EVERYWHERE: Models = Models::FORMULA.and(Models::SINGLE_RUN);

pub const FUNCTIONS: &[Entry] = &[
    stateful("void *malloc(size_t size)").allocates(&[0], Life::Heap).with(SERVES).implicit().modelled(EVERYWHERE),
    stateful("void *calloc(size_t count, size_t size)")
        .allocates(&[0, 1], Life::Heap)
        .with(SERVES)
        .implicit()
        .modelled(EVERYWHERE),
    reads("void *realloc(void *block, size_t size)").with(STATE).reallocates(&[1]).with(SERVES).implicit(),
    reads("void *reallocarray(void *block, size_t count, size_t size)").with(STATE.and(ERRNO)).reallocates(&[1, 2]),
    stateful("void free(void *block)").frees().with(Effects::SERVES_MALLOC).implicit().modelled(EVERYWHERE),
    stateful("void cfree(void *block)").frees(),
    stateful("void *memalign(size_t alignment, size_t size)").allocates(&[1], Life::HeapOrNull).with(ERRNO),
    stateful("void *aligned_alloc(size_t alignment, size_t size)")
        .allocates(&[1], Life::HeapOrNull)
        .with(ERRNO)
        .implicit(),
    stateful("void *valloc(size_t size)").allocates(&[0], Life::HeapOrNull).with(ERRNO),
    stateful("int posix_memalign(void **block, size_t alignment, size_t size)").writes_object(0).with(ERRNO),
    reads("char *strdup(const char *text)")
        .with(STATE.and(ERRNO).and(Effects::CALLS_MALLOC))
        .allocates(&[], Life::HeapOrNull)
        .implicit(),
    reads("char *__strdup(const char *text)")
        .with(STATE.and(ERRNO).and(Effects::CALLS_MALLOC))
        .allocates(&[], Life::HeapOrNull),
    reads("char *strndup(const char *text, size_t most)")
        .with(STATE.and(ERRNO).and(Effects::CALLS_MALLOC))
        .allocates(&[], Life::HeapOrNull)
        .implicit(),
    reads("char *__strndup(const char *text, size_t most)")
        .with(STATE.and(ERRNO).and(Effects::CALLS_MALLOC))
        .allocates(&[], Life::HeapOrNull),
];
