#pragma once
// Linux calls that the Swift overlay of Glibc hides: variadic functions, function-like macros and
// system calls without a wrapper. Each inline function below is one of these.
//
// _GNU_SOURCE stays undefined: the Glibc overlay is built without it, and one process cannot see a C type in two shapes.
// What only it would show is declared below, or called through syscall(2).
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <malloc.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// open(2) is variadic.
static inline int shim_open(const char *path, int flags, mode_t mode) { return open(path, flags, mode); }
// fcntl(2) is variadic.
static inline int shim_fcntl(int fd, int command, long argument) { return fcntl(fd, command, argument); }
// prctl(2) is variadic.
static inline int shim_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    return prctl(option, a, b, c, d);
}
// sem_clockwait(3) is a GNU extension.
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
// fallocate(2) is a GNU extension. 3 is FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE.
extern int fallocate(int fd, int mode, off_t offset, off_t length);
static inline int shim_free_beginning(int fd, off_t length) { return fallocate(fd, 3, 0, length); }
// syscall(2) is variadic; glibc 2.36 has no wrapper for landlock.
static inline int shim_landlock_restrict_self(int ruleset, uint32_t flags) {
    return (int)syscall(SYS_landlock_restrict_self, ruleset, flags);
}
// pidfd_open(2) is declared only from glibc 2.36 on, in <sys/pidfd.h>.
static inline int shim_pidfd_open(pid_t pid, unsigned flags) { return (int)syscall(SYS_pidfd_open, pid, flags); }

// The GNU strerror_r clashes with the one the Glibc overlay shows; this one is thread-safe. NULL for unknown numbers.
extern const char *strerrordesc_np(int code);
static inline const char *shim_error_text(int code) { return strerrordesc_np(code); }

// Atomics on memory shared with another process: Swift's Synchronization has none for raw pointers.
static inline uint64_t shim_load_acquire_u64(const void *p) { return __atomic_load_n((const uint64_t *)p, __ATOMIC_ACQUIRE); }
static inline void shim_store_release_u64(void *p, uint64_t v) { __atomic_store_n((uint64_t *)p, v, __ATOMIC_RELEASE); }
static inline uint32_t shim_load_acquire_u32(const void *p) { return __atomic_load_n((const uint32_t *)p, __ATOMIC_ACQUIRE); }
static inline void shim_store_release_u32(void *p, uint32_t v) { __atomic_store_n((uint32_t *)p, v, __ATOMIC_RELEASE); }
static inline uint32_t shim_exchange_u32(void *p, uint32_t v) { return __atomic_exchange_n((uint32_t *)p, v, __ATOMIC_SEQ_CST); }
static inline void shim_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
