#pragma once
#include <zlib.h>
#include "../CLinux/loading.h"

#define ZLIB_FUNCTIONS(each) each(deflateInit2_) each(deflateBound) each(deflate) each(deflateEnd)
SHIM_LIBRARY(zlib_functions, "libz.so.1", ZLIB_FUNCTIONS)

// deflateInit2() is a macro. 16 more bits of the window mean the format of gzip(1).
static inline int shim_begin(const struct zlib_functions *_Nonnull library, z_stream *_Nonnull stream) {
    return library->deflateInit2_(
        stream, Z_BEST_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION, (int)sizeof *stream);
}
