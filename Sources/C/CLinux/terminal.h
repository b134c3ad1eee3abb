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
// ioctl(2) is variadic. Returns the number of columns, or 0 where there is no terminal.
static inline int shim_terminal_columns(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
// Pixels of a cell; 0 if the terminal does not say.
static inline int shim_cell_width(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_xpixel / size.ws_col : 0;
}
static inline int shim_cell_height(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_ypixel / size.ws_row : 0;
}
static inline int shim_terminal_lines(int fd) {
    struct winsize size;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}
