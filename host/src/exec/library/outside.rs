//! Functions that are known but not modelled: their results come from outside without being test inputs, or they call
//! back, jump, or start something. A run that calls one ends as unsupported.

use super::call::int;
use super::model::{Effects, Model};
use super::{Call, Stop};

macro_rules! unmodelled {
    ($($prototype:literal),* $(,)?) => { &[$(Model::new($prototype, Effects::UNMODELLED, unsupported)),*] };
}

/// Functions of this kind that have a model: there is no environment, and time does not matter.
pub const MODELS: &[Model] = &[
    Model::new("char *getenv(const char *name)", Effects::READS, getenv),
    Model::new("unsigned sleep(unsigned)", Effects::PRINTS, |_| Ok(int(0))).between(0, 0),
    Model::new("int usleep(unsigned)", Effects::PRINTS, |_| Ok(int(0))).between(0, 0),
];

pub const UNMODELLED: &[Model] = unmodelled![
    // input
    "int getchar(void)",
    "int getc(void *stream)",
    "int _IO_getc(void *stream)",
    "int fgetc(void *stream)",
    "int ungetc(int, void *stream)",
    "char *gets(char *to)",
    "char *fgets(char *to, int, void *stream)",
    "ssize_t getline(char **to, size_t *room, void *stream)",
    "int scanf(const char *format, ...)",
    "int fscanf(void *stream, const char *format, ...)",
    "int sscanf(const char *text, const char *format, ...)",
    "int __isoc99_scanf(const char *format, ...)",
    "int __isoc99_fscanf(void *stream, const char *format, ...)",
    "int __isoc99_sscanf(const char *text, const char *format, ...)",
    "size_t fread(void *to, size_t, size_t, void *stream)",
    "ssize_t read(int, void *to, size_t)",
    "ssize_t recv(int, void *to, size_t, int)",
    // files
    "void *fopen(const char *path, const char *mode)",
    "void *fdopen(int, const char *mode)",
    "void *freopen(const char *path, const char *mode, void *stream)",
    "int fclose(void *stream)",
    "int feof(void *stream)",
    "int ferror(void *stream)",
    "int fileno(void *stream)",
    "int fseek(void *stream, long, int)",
    "long ftell(void *stream)",
    "void rewind(void *stream)",
    "int remove(const char *path)",
    "int rename(const char *from, const char *to)",
    "int open(const char *path, int, ...)",
    "int close(int)",
    "ssize_t write(int, const void *from, size_t)",
    "int socket(int, int, int)",
    // output to new memory
    "int vasprintf(char **to, const char *format, void *list)",
    "int asprintf(char **to, const char *format, ...)",
    // time and the system
    "long time(long *to)",
    "long clock(void)",
    "int gettimeofday(void *time, void *zone)",
    "int clock_gettime(int, void *time)",
    "void *localtime(const long *time)",
    "void *gmtime(const long *time)",
    "int getpid(void)",
    "int system(const char *command)",
    "int setenv(const char *name, const char *value, int)",
    "int putenv(char *text)",
    "char *setlocale(int, const char *name)",
    "char *strerror(int)",
    "void *mmap(void *at, size_t, int, int, int, long)",
    "int munmap(void *at, size_t)",
    "void *sbrk(long)",
    "int feclearexcept(int)",
    "int feraiseexcept(int)",
    "int fetestexcept(int)",
    // calls back
    "void qsort(void *array, size_t, size_t, void *compare)",
    "void *bsearch(const void *key, const void *array, size_t, size_t, void *compare)",
    "int atexit(void *function)",
    "int at_quick_exit(void *function)",
    "void *signal(int, void *handler)",
    "int sigaction(int, const void *action, void *old)",
    // jumps and processes
    "int setjmp(void *buffer)",
    "int _setjmp(void *buffer)",
    "int __sigsetjmp(void *buffer, int)",
    "void longjmp(void *buffer, int)",
    "void _longjmp(void *buffer, int)",
    "void siglongjmp(void *buffer, int)",
    "int raise(int)",
    "int kill(int, int)",
    "unsigned alarm(unsigned)",
    "int fork(void)",
    "int wait(int *status)",
    "int execv(const char *path, char *const *arguments)",
    "int pthread_create(unsigned long *thread, const void *attributes, void *start, void *argument)",
    "int pthread_join(unsigned long, void **result)",
    "void pthread_exit(void *result)",
    "int pthread_mutex_init(void *mutex, const void *attributes)",
    "int pthread_mutex_lock(void *mutex)",
    "int pthread_mutex_trylock(void *mutex)",
    "int pthread_mutex_unlock(void *mutex)",
    "int pthread_mutex_destroy(void *mutex)",
    "int pthread_cond_init(void *condition, const void *attributes)",
    "int pthread_cond_wait(void *condition, void *mutex)",
    "int pthread_cond_signal(void *condition)",
    "int pthread_cond_broadcast(void *condition)",
    "int pthread_cond_destroy(void *condition)",
];

fn unsupported(_: &mut Call<'_>) -> Result<u64, Stop> {
    Err(Stop::Unsupported)
}

fn getenv(call: &mut Call<'_>) -> Result<u64, Stop> {
    let name = call.pointer(0)?;
    call.length(name)?;
    Ok(0)
}
