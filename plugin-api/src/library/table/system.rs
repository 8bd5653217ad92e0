//! Time, the environment, memory of the system, and other services.

use super::super::effects::Effects;
use super::super::entry::{Entry, input, outside, prints, reads};

const MALLOC: Effects = Effects::CALLS_MALLOC;
const BY_NUMBER: Effects = Effects::TAKES_ADDRESS_AS_NUMBER;

pub const FUNCTIONS: &[Entry] = &[
    // There is no environment, and time does not matter.
    reads("char *getenv(const char *name)"),
    prints("unsigned sleep(unsigned seconds)").between(0, 0),
    prints("int usleep(useconds_t microseconds)").between(0, 0),
    input("int setenv(const char *name, const char *value, int replace)").with(MALLOC),
    outside("int unsetenv(const char *name)"),
    // The text becomes a part of the environment.
    input("int putenv(char *text)").writes_anything().with(MALLOC),
    input("char *setlocale(int category, const char *name)").with(MALLOC),
    input("char *strerror(int number)"),
    outside("char *gettext(const char *id)"),
    outside("char *dgettext(const char *domain, const char *id)"),
    outside("char *dcgettext(const char *domain, const char *id, int category)"),
    outside("void openlog(const char *name, int options, int facility)"),
    outside("void closelog(void)"),
    input("time_t time(time_t *to)").writes_object(0),
    input("clock_t clock(void)"),
    input("int gettimeofday(struct timeval *time, void *zone)").writes_targets(),
    input("int clock_gettime(clockid_t clock, struct timespec *time)").writes_targets(),
    input("struct tm *localtime(const time_t *time)").also(&["gmtime"]),
    input("struct tm *localtime_r(const time_t *time, struct tm *to)").also(&["gmtime_r"]).writes_targets(),
    input("int getpid(void)"),
    input("int gethostname(char *to, size_t room)").writes_bytes(0, 1),
    outside("struct passwd *getpwnam(const char *name)").with(MALLOC),
    // Constructors and destructors of a library run.
    input("void *dlopen(const char *path, int mode)"),
    input("int dlclose(void *library)"),
    // They may replace or take away memory of the program.
    input("void *mmap(void *at, size_t length, int protection, int flags, int file, off_t offset)").writes_anything(),
    input("int munmap(void *at, size_t length)").writes_anything(),
    input("void *sbrk(intptr_t change)"),
    // What an argument is, an address or a number, another one says.
    input("int prctl(int option, ...)").writes_anything().with(BY_NUMBER),
    input("int arch_prctl(int code, unsigned long address)").writes_anything().with(BY_NUMBER),
    input("long ptrace(enum __ptrace_request request, ...)").writes_anything().with(BY_NUMBER),
    input("int semctl(int id, int number, int command, ...)").writes_anything().with(BY_NUMBER),
    input("long syscall(long number, ...)").writes_anything().with(BY_NUMBER),
];
