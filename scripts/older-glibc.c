// Functions of glibc 2.38 that the Swift libraries of Debian sid call. scripts/cross links them into programs for releases with an older
// glibc.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// C23 added binary numbers to these functions. Swift's libraries do not use them.
long __isoc23_strtol(const char *text, char **end, int base) { return strtol(text, end, base); }
long long __isoc23_strtoll(const char *text, char **end, int base) { return strtoll(text, end, base); }
int __isoc23_sscanf(const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int count = vsscanf(text, format, values);
    va_end(values);
    return count;
}

size_t strlcpy(char *copy, const char *text, size_t room) {
    size_t length = strlen(text);
    if (room > 0) {
        size_t count = length < room ? length : room - 1;
        memcpy(copy, text, count);
        copy[count] = 0;
    }
    return length;
}
