#pragma once

// Counts what one thread asks of malloc(3) and pthread_mutex_lock(3), which this file replaces in the program that links it. For tests.
// Counts nothing under a sanitizer, which replaces the functions itself.

// Begins to count on the calling thread.
void allocation_count_begin(void);
// Ends the count on the calling thread.
struct allocation_count {
    long allocations;  // calls of malloc, calloc, realloc, aligned_alloc, posix_memalign and free
    long locks;        // calls of pthread_mutex_lock and pthread_mutex_trylock
};
struct allocation_count allocation_count_end(void);
