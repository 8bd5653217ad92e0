//! Threads and processes.

use super::super::effects::Effects;
use super::super::entry::{Entry, hidden, input};

pub const FUNCTIONS: &[Entry] = &[
    hidden(
        "int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)",
    ),
    hidden("int thrd_create(thrd_t *thread, thrd_start_t start, void *argument)"),
    hidden("void pthread_exit(void *result)").with(Effects::NEVER_RETURNS),
    hidden("void thrd_exit(int result)").with(Effects::NEVER_RETURNS),
    input("int pthread_join(pthread_t thread, void **result)").writes_anything(),
    input("int pthread_kill(pthread_t thread, int signal)"),
    input("int pthread_cancel(pthread_t thread)"),
    input("int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes)").writes_targets(),
    input("int pthread_mutex_lock(pthread_mutex_t *mutex)")
        .also(&["pthread_mutex_trylock", "pthread_mutex_unlock", "pthread_mutex_destroy"])
        .writes_targets(),
    input("int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes)").writes_targets(),
    input("int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)").writes_targets(),
    input("int pthread_cond_signal(pthread_cond_t *condition)")
        .also(&["pthread_cond_broadcast", "pthread_cond_destroy"])
        .writes_targets(),
    input("int wait(int *status)").writes_object(0),
];
