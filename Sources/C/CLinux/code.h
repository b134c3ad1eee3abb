// Unmaps code and constants, for ResidentCode.swift: dl_iterate_phdr(3), madvise(2).
#pragma once
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// <link.h> hides these without _GNU_SOURCE; the members are the first of an interface that only grows at its end.
struct dl_phdr_info;
extern int dl_iterate_phdr(int (*)(struct dl_phdr_info *, size_t, void *), void *);
struct shim_loaded_object {
    uintptr_t address;
    const char *name;
    const ElfW(Phdr) *headers;
    uint16_t count;
};

// Segments that cannot be written contain only what is in the file. The page in which the file ends is skipped.
static int shim_release_segments(struct dl_phdr_info *info, size_t size, void *page_size) {
    const struct shim_loaded_object *object = (const struct shim_loaded_object *)info;
    const uintptr_t page = *(const uintptr_t *)page_size;
    (void)size;
    for (uint16_t i = 0; i < object->count; i++) {
        const ElfW(Phdr) *segment = &object->headers[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        uintptr_t begin = (object->address + segment->p_vaddr + page - 1) & ~(page - 1);
        uintptr_t end = (object->address + segment->p_vaddr + segment->p_filesz) & ~(page - 1);
        if (begin < end) madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

static inline void shim_release_code(void) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(shim_release_segments, &page);
}
