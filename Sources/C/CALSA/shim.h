#pragma once
#include <alsa/asoundlib.h>
#include <errno.h>

// The error handler is variadic. Without one, libasound prints to standard error; our errors contain its message instead.
static inline void shim_alsa_ignore(const char *file, int line, const char *function, int code, const char *format, ...) {
    (void)file, (void)line, (void)function, (void)code, (void)format;
}
static inline void shim_alsa_silence(void) { snd_lib_error_set_handler(shim_alsa_ignore); }
