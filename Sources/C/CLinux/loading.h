// Libraries that only some gateways use are loaded at their first use, not linked, because all gateways are one program.
//
// SHIM_LIBRARY(kind, file, FUNCTIONS) defines a struct with the functions of FUNCTIONS(each), each with its declared type, and
// shim_load_KIND, which returns NULL if the library or one of the functions is missing (see dlerror(3)). Not for two threads at once.
#pragma once
#include <dlfcn.h>
#include <stddef.h>

#define SHIM_FIELD(name) __typeof__(name) *_Nonnull name;
#define SHIM_LOOK_UP(name) \
    void *found_##name = dlsym(library, #name); \
    if (!found_##name) return NULL; \
    functions.name = (__typeof__(name) *)found_##name;
#define SHIM_LIBRARY(kind, file, FUNCTIONS) \
    struct kind { FUNCTIONS(SHIM_FIELD) }; \
    static inline const struct kind *_Nullable shim_load_##kind(void) { \
        static struct kind functions; \
        void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL); \
        if (!library) return NULL; \
        FUNCTIONS(SHIM_LOOK_UP) \
        return &functions; \
    }
