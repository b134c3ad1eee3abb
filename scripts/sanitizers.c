// Linked into every program of a sanitizer build by scripts/sanitize, since programs that the tests start with an
// environment of their own get no options from it. The macros come from there.
#include <stdint.h>

#define DEFAULT(name, text) \
    const char *name(void); \
    const char *name(void) { return text; }

// A report ends the program and goes to a file of its own, because not every test looks at how a program ended.
#define HALT_AND_TELL "halt_on_error=1:log_path=" REPORTS

#ifdef SANITIZE_THREAD

DEFAULT(__tsan_default_options, HALT_AND_TELL)

// Synchronization.Mutex: the library is built without the sanitizer, so what its futex orders when two threads meet is
// not seen; without contention its operations are inlined into our code, and are. Clang calls these as Swift does.
// When a later library has other names, every mutex that is contended for is reported again.
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

#else

// Swift keeps references that are shifted or tagged (to strings' storage, to what weak references need), so whatever hangs
// on one of those would be called a leak.
DEFAULT(__asan_default_options, HALT_AND_TELL ":detect_leaks=0")

#endif
