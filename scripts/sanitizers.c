// scripts/sanitize links this file into every program of a sanitizer build and defines the macros. Options in the
// environment would not reach programs that the tests start with a different environment.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#define DEFAULT(name, text) \
    const char *name(void); \
    const char *name(void) { return text; }

// A report ends the program and is written to a separate file, because not every test checks a program's exit status. A failed
// precondition of Swift (an instruction that is a trap) is reported too, with the calls that led to it.
#define HALT_AND_TELL "halt_on_error=1:handle_sigill=1:handle_sigtrap=1:log_path=" REPORTS

#ifdef SANITIZE_THREAD

DEFAULT(__tsan_default_options, HALT_AND_TELL)

// Synchronization.Mutex: without contention its operations are inlined into our code, where the sanitizer sees them. Under
// contention it uses futex functions of the library, which is built without the sanitizer. These wrappers report the order
// that they establish. Clang calls them with Swift's calling convention. If a later library renames them, every contended
// mutex is reported again.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define HANDLE "$s15Synchronization12_MutexHandleV"

void __tsan_acquire(void *);
void __tsan_release(void *);

SWIFT void real_lock(uint32_t thread, SELF) __asm__("__real_" HANDLE "9_lockSlowyys6UInt32VF");
SWIFT void real_unlock(SELF) __asm__("__real_" HANDLE "11_unlockSlowyyF");
SWIFT _Bool real_try_lock(SELF) __asm__("__real_" HANDLE "12_tryLockSlowSbyF");

SWIFT void lock(uint32_t thread, SELF) __asm__("__wrap_" HANDLE "9_lockSlowyys6UInt32VF");
SWIFT void unlock(SELF) __asm__("__wrap_" HANDLE "11_unlockSlowyyF");
SWIFT _Bool try_lock(SELF) __asm__("__wrap_" HANDLE "12_tryLockSlowSbyF");

SWIFT void lock(uint32_t thread, SELF) {
    real_lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock(SELF) {
    __tsan_release(mutex);
    real_unlock(mutex);
}

SWIFT _Bool try_lock(SELF) {
    _Bool locked = real_try_lock(mutex);
    if (locked) __tsan_acquire(mutex);
    return locked;
}

// The sanitizer does not know pthread_clockjoin_np(3), and would report each thread that it joins as a leak. It knows this one, whose
// deadline is a time of day.
int joined(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline)
    __asm__("__wrap_pthread_clockjoin_np");

int joined(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline) {
    struct timespec now, time;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &time);
    time_t seconds = deadline->tv_sec > now.tv_sec ? deadline->tv_sec - now.tv_sec : 0;
    const time_t year = 366 * 86400;
    time.tv_sec += seconds < year ? seconds : year;
    return pthread_timedjoin_np(thread, result, &time);
}

#else

// Swift stores some references shifted or tagged (to strings' storage, to side tables of weak references). LeakSanitizer
// would report everything that is reachable only through them as a leak.
DEFAULT(__asan_default_options, HALT_AND_TELL ":detect_leaks=0")

#endif
