#pragma once
#include <ini.h>

// Debian's inih takes its limits from global variables, which Swift 6 does not let a program touch. Every parse sets
// the same values: long lines are allowed, values stand on one line and may hold a semicolon (a shell command does).
static inline int shim_parse(ini_reader reader, void *stream, ini_handler handler, void *user) {
    ini_use_stack = false;
    ini_initial_alloc = 4096;
    ini_max_line = 4096;
    ini_allow_realloc = false;
    ini_allow_multiline = false;
    ini_allow_inline_comments = false;
    return ini_parse_stream(reader, stream, handler, user);
}
