#pragma once
#define NCURSES_WIDECHAR 1
#define _XOPEN_SOURCE_EXTENDED 1
// Names such as `clear` and `move` stay functions.
#define NCURSES_NOMACROS 1
#include <ncurses.h>
#include <locale.h>
#include <stdio.h>

// Variables and macros of curses as functions, because Swift does not import them.
static inline WINDOW *shim_window(void) { return stdscr; }
static inline int shim_lines(void) { return LINES; }
static inline int shim_columns(void) { return COLS; }
static inline int shim_colors(void) { return COLORS; }
static inline int shim_color_pairs(void) { return COLOR_PAIRS; }
static inline attr_t shim_bold(void) { return A_BOLD; }
static inline attr_t shim_dim(void) { return A_DIM; }
static inline attr_t shim_reverse(void) { return A_REVERSE; }
static inline attr_t shim_underline(void) { return A_UNDERLINE; }
static inline mmask_t shim_mouse_mask(void) {
    return BUTTON1_PRESSED | BUTTON1_RELEASED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED | REPORT_MOUSE_POSITION;
}
static inline int shim_is_press(mmask_t state) { return (state & (BUTTON1_PRESSED | BUTTON1_CLICKED)) != 0; }
static inline int shim_is_release(mmask_t state) { return (state & BUTTON1_RELEASED) != 0; }
static inline int shim_is_wheel_up(mmask_t state) { return (state & BUTTON4_PRESSED) != 0; }
static inline int shim_is_wheel_down(mmask_t state) { return (state & BUTTON5_PRESSED) != 0; }
static inline int shim_function_key(int number) { return KEY_F(number); }
static inline int shim_use_utf8(void) { return setlocale(LC_CTYPE, "C.UTF-8") != NULL || setlocale(LC_CTYPE, "") != NULL; }
static inline SCREEN *shim_newterm(void) { return newterm(NULL, stdout, stdin); }
static inline void shim_send(const unsigned char *bytes, size_t count) {
    fwrite(bytes, 1, count, stdout);
    fflush(stdout);
}
// Reports of drags, which curses does not ask xterm for.
static inline void shim_report_drags(int isOn) {
    fputs(isOn ? "\033[?1002h" : "\033[?1002l", stdout);
    fflush(stdout);
}
// Marks around pasted text, so that it is not taken for typed keys.
static inline void shim_bracket_pastes(int isOn) {
    fputs(isOn ? "\033[?2004h" : "\033[?2004l", stdout);
    fflush(stdout);
}
