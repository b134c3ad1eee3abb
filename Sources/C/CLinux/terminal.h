#pragma once
// What a command line needs of the terminal; the Swift overlay of Glibc shows none of it.
#include <locale.h>
#include <sys/ioctl.h>
#include <wchar.h>

// wcwidth(3) is declared for _XOPEN_SOURCE only, which the module that carries wchar.h is not built with.
extern int wcwidth(wchar_t character);

// wcwidth(3) in a given locale: the program's own may be "C", which knows no character past ASCII.
static inline int shim_wcwidth(wchar_t character, locale_t locale) {
    locale_t before = uselocale(locale);
    int width = wcwidth(character);
    uselocale(before);
    return width;
}
// LC_CTYPE_MASK is a macro of shifts.
static inline locale_t shim_character_locale(const char *name) { return newlocale(LC_CTYPE_MASK, name, (locale_t)0); }
// ioctl(2) is variadic. All zero where there is no terminal.
static inline struct winsize shim_window_size(int fd) {
    struct winsize size = {0};
    ioctl(fd, TIOCGWINSZ, &size);
    return size;
}
