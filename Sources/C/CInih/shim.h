#pragma once
#include <ini.h>

// Debian's inih reads its limits from global variables, which Swift 6 cannot access. Every parse sets the same values:
// long lines are allowed, values are on one line and may contain a semicolon (as shell commands do).
static inline int shim_parse(ini_reader reader, void *stream, ini_handler handler, void *user) {
    ini_use_stack = false;
    ini_initial_alloc = 4096;
    ini_max_line = 4096;
    ini_allow_realloc = false;
    ini_allow_multiline = false;
    ini_allow_inline_comments = false;
    return ini_parse_stream(reader, stream, handler, user);
}
