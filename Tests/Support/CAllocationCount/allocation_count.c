#define _GNU_SOURCE
#include "allocation_count.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

// The first access must not allocate.
static _Thread_local __attribute__((tls_model("initial-exec"))) int is_counting;
static _Thread_local __attribute__((tls_model("initial-exec"))) struct allocation_count counted;

void allocation_count_begin(void) {
    counted = (struct allocation_count){0, 0};
    is_counting = 1;
}

struct allocation_count allocation_count_end(void) {
    is_counting = 0;
    return counted;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

#ifndef IS_SANITIZED
// glibc's own names of the functions.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);

static void count_allocation(void) { counted.allocations += is_counting; }

void *malloc(size_t size) {
    count_allocation();
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    count_allocation();
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    count_allocation();
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count_allocation();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    count_allocation();
    *memory = __libc_memalign(alignment, size);
    return *memory || size == 0 ? 0 : ENOMEM;
}

void free(void *memory) {
    if (memory) count_allocation();
    __libc_free(memory);
}

typedef int lock_function(pthread_mutex_t *mutex);

static lock_function *_Atomic next_lock;
static lock_function *_Atomic next_trylock;

int pthread_mutex_lock(pthread_mutex_t *mutex) {
    counted.locks += is_counting;
    if (!next_lock) next_lock = (lock_function *)dlsym(RTLD_NEXT, "pthread_mutex_lock");
    return next_lock(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
    counted.locks += is_counting;
    if (!next_trylock) next_trylock = (lock_function *)dlsym(RTLD_NEXT, "pthread_mutex_trylock");
    return next_trylock(mutex);
}
#endif
