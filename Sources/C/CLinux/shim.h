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
static inline int shim_openat(int dir, const char *path, int flags, mode_t mode) { return openat(dir, path, flags, mode); }
// fcntl(2) is variadic.
static inline int shim_fcntl(int fd, int command, long argument) { return fcntl(fd, command, argument); }
// prctl(2) is variadic.
static inline int shim_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
    return prctl(option, a, b, c, d);
}
// sem_clockwait(3) is a GNU extension.
extern int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline);
// syscall(2) is variadic; glibc 2.36 has no wrapper for landlock.
static inline int shim_landlock_create_ruleset(const struct landlock_ruleset_attr *attr, size_t size, uint32_t flags) {
    return (int)syscall(SYS_landlock_create_ruleset, attr, size, flags);
}
static inline int shim_landlock_restrict_self(int ruleset, uint32_t flags) {
    return (int)syscall(SYS_landlock_restrict_self, ruleset, flags);
}
// pidfd_open(2) and pidfd_send_signal(2) are declared only from glibc 2.36 on, in <sys/pidfd.h>.
static inline int shim_pidfd_open(pid_t pid, unsigned flags) { return (int)syscall(SYS_pidfd_open, pid, flags); }
static inline int shim_pidfd_send_signal(int pidfd, int signal) {
    return (int)syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0);
}
// Macros over the wait status.
static inline int shim_wifexited(int status) { return WIFEXITED(status); }
static inline int shim_wexitstatus(int status) { return WEXITSTATUS(status); }
static inline int shim_wifsignaled(int status) { return WIFSIGNALED(status); }
static inline int shim_wtermsig(int status) { return WTERMSIG(status); }

// sendmsg(2) with SCM_RIGHTS needs the CMSG_ macros. Sends `count` (at most 8) descriptors with the bytes.
static inline ssize_t shim_send_descriptors(int socket, const void *bytes, size_t length, const int *descriptors, int count) {
    union { char buffer[CMSG_SPACE(8 * sizeof(int))]; struct cmsghdr align; } control;
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.buffer;
        message.msg_controllen = CMSG_SPACE(count * sizeof(int));
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(count * sizeof(int));
        memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}
// Receives bytes and at most `capacity` (at most 8) descriptors; `*count` tells how many arrived, all close-on-exec.
static inline ssize_t shim_receive_descriptors(int socket, void *bytes, size_t length, int *descriptors, int capacity, int *count) {
    union { char buffer[CMSG_SPACE(8 * sizeof(int))]; struct cmsghdr align; } control;
    struct iovec part = {.iov_base = bytes, .iov_len = length};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control.buffer, .msg_controllen = sizeof control.buffer};
    *count = 0;
    ssize_t got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (got < 0) return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int here = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        int values[8];
        memcpy(values, CMSG_DATA(header), (size_t)here * sizeof(int));
        for (int i = 0; i < here; i++) {
            if (*count < capacity) descriptors[(*count)++] = values[i];
            else close(values[i]);
        }
    }
    return got;
}

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
