//! What prints: to streams, or to memory.

use super::super::effects::{Effects, Folding, Models};
use super::super::entry::{Entry, outside, prints, prints_text, reads};

const STREAM: Effects = Effects::CALLS_MALLOC;
const REPLACED: Effects = Effects::REPLACED_BY_PRINTING.and(STREAM);
const SERVES: Effects = Effects::SERVES_PRINTING.and(STREAM);

pub const FUNCTIONS: &[Entry] = &[
    prints_text("int printf(const char *format, ...)")
        .format(0)
        .with(REPLACED)
        .implicit()
        .folding(Folding::Constants)
        .modelled(Models::SINGLE_RUN),
    prints_text("int __printf_chk(int flag, const char *format, ...)").format(1).with(REPLACED).builtin(),
    prints_text("int fprintf(FILE *stream, const char *format, ...)")
        .format(1)
        .with(REPLACED)
        .implicit()
        .folding(Folding::Constants),
    prints_text("int __fprintf_chk(FILE *stream, int flag, const char *format, ...)")
        .format(2)
        .with(REPLACED)
        .builtin(),
    prints_text("int dprintf(int file, const char *format, ...)").format(1).with(STREAM),
    prints_text("int vprintf(const char *format, va_list list)").format(0).with(REPLACED).builtin(),
    prints_text("int __vprintf_chk(int flag, const char *format, va_list list)").format(1).with(REPLACED).builtin(),
    prints_text("int vfprintf(FILE *stream, const char *format, va_list list)").format(1).with(REPLACED).builtin(),
    prints_text("int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list)")
        .format(2)
        .with(REPLACED)
        .builtin(),
    prints_text("int vdprintf(int file, const char *format, va_list list)").format(1).with(STREAM),
    reads("int sprintf(char *to, const char *format, ...)").writes_targets().format(1).implicit(),
    reads("int __sprintf_chk(char *to, int flag, size_t room, const char *format, ...)")
        .writes_targets()
        .format(3)
        .builtin(),
    reads("int snprintf(char *to, size_t room, const char *format, ...)").writes_bytes(0, 1).format(2).implicit(),
    reads("int __snprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, ...)")
        .writes_bytes(0, 1)
        .format(4)
        .builtin(),
    reads("int vsprintf(char *to, const char *format, va_list list)").writes_targets().format(1).builtin(),
    reads("int __vsprintf_chk(char *to, int flag, size_t room, const char *format, va_list list)")
        .writes_targets()
        .format(3)
        .builtin(),
    reads("int vsnprintf(char *to, size_t room, const char *format, va_list list)")
        .writes_bytes(0, 1)
        .format(2)
        .builtin(),
    reads("int __vsnprintf_chk(char *to, size_t most, int flag, size_t room, const char *format, va_list list)")
        .writes_bytes(0, 1)
        .format(4)
        .builtin(),
    reads("int asprintf(char **to, const char *format, ...)")
        .writes_anything()
        .format(1)
        .with(STREAM)
        .without(Models::EXECUTION),
    reads("int vasprintf(char **to, const char *format, va_list list)")
        .writes_anything()
        .format(1)
        .with(STREAM)
        .without(Models::EXECUTION),
    prints_text("int puts(const char *text)").with(SERVES).implicit().modelled(Models::SINGLE_RUN),
    prints_text("int fputs(const char *text, FILE *stream)")
        .with(REPLACED)
        .with(SERVES)
        .implicit()
        .folding(Folding::Constants),
    prints_text("int fputs_unlocked(const char *text, FILE *stream)").with(STREAM),
    prints("int putchar(int c)").between(-1, 255).with(SERVES).implicit().modelled(Models::SINGLE_RUN),
    prints("int putchar_unlocked(int c)").between(-1, 255).with(STREAM),
    prints("int fputc(int c, FILE *stream)").also(&["putc"]).between(-1, 255).with(SERVES).implicit(),
    prints("int _IO_putc(int c, FILE *stream)").also(&["fputc_unlocked"]).between(-1, 255).with(STREAM),
    prints_text("size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)").with(SERVES).implicit(),
    prints("int fflush(FILE *stream)").between(-1, 0).with(STREAM).modelled(Models::SINGLE_RUN),
    prints_text("void perror(const char *text)").with(STREAM),
    prints("void setbuf(FILE *stream, char *buffer)").with(Effects::GIVES_BUFFER),
    prints("int setvbuf(FILE *stream, char *buffer, int mode, size_t size)").with(Effects::GIVES_BUFFER),
    outside("void setbuffer(FILE *stream, char *buffer, size_t size)").with(Effects::GIVES_BUFFER),
    outside("void warn(const char *format, ...)").also(&["warnx"]).format(0).with(STREAM),
    outside("void vwarn(const char *format, va_list list)").also(&["vwarnx"]).format(0).with(STREAM),
    outside("void syslog(int priority, const char *format, ...)").format(1).with(STREAM),
    outside("void vsyslog(int priority, const char *format, va_list list)").format(1).with(STREAM),
    outside("int fflush_unlocked(FILE *stream)"),
    outside("int putc_unlocked(int c, FILE *stream)").also(&["putw"]),
    outside("wint_t fputwc(wchar_t c, FILE *stream)"),
    outside("int fputws(const wchar_t *text, FILE *stream)"),
    outside("size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream)"),
    outside("void psignal(int signal, const char *text)"),
];
