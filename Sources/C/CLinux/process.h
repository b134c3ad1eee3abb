#pragma once
// Starting and confining processes: what runs between vfork(2) and execve(2), where Swift must not run, and
// calls that glibc 2.36 declares as variadic or not at all.
#include "shim.h"
#include <pthread.h>

struct shim_spawn_request {
    const char *path;
    char *const *arguments;
    char *const *environment;
    // Target i of the new process is a copy of sources[i]; every other descriptor is closed there.
    const int *sources;
    const int *targets;
    int descriptor_count;
    // The signal that the process gets when the thread that started the process ends; 0 for none.
    int parent_death_signal;
    // The mask of rights for the files that it creates: umask(2); -1 keeps the caller's.
    int creation_mask;
    // The soft RLIMIT_NOFILE of the process; 0 for the limit of the caller.
    uint64_t descriptor_limit;
};

// In the child the caller's memory is still shared: only system calls, no allocation, no lock.
// Sources are first copied above every target, so that no copy runs over a source that is still needed.
static inline void shim_spawn_child(const struct shim_spawn_request *request, pid_t parent, volatile int *failure) {
    int copies[16], above = 3;
    // The system call itself: the C library refuses its own two signals, which an ancestor may have ignored.
    const struct { void *handler; unsigned long flags; void *restorer; unsigned long mask; } by_default = {0};
    for (int signal = 1; signal < 65; signal++) syscall(SYS_rt_sigaction, signal, &by_default, NULL, 8);
    if (request->creation_mask >= 0) umask((mode_t)request->creation_mask);
    // Each process leads a group: a terminal's interrupt does not reach the process, and the group's children end with it.
    if (setpgid(0, 0) != 0) goto failed;
    if (request->parent_death_signal != 0) {
        if (prctl(PR_SET_PDEATHSIG, (unsigned long)request->parent_death_signal, 0, 0, 0) != 0) goto failed;
        // The parent may have died before the request was in force.
        if (getppid() != parent) _exit(127);
    }
    for (int i = 0; i < request->descriptor_count; i++) {
        if (request->targets[i] >= above) above = request->targets[i] + 1;
    }
    for (int i = 0; i < request->descriptor_count; i++) {
        copies[i] = fcntl(request->sources[i], F_DUPFD, above);
        if (copies[i] < 0) goto failed;
    }
    for (int i = 0; i < request->descriptor_count; i++) {
        if (dup2(copies[i], request->targets[i]) < 0) goto failed;
    }
    // Ascending targets: close the gaps between them and everything above.
    int next = 0;
    for (int i = 0; i < request->descriptor_count; i++) {
        if (request->targets[i] > next && syscall(SYS_close_range, next, request->targets[i] - 1, 0) != 0) goto failed;
        next = request->targets[i] + 1;
    }
    if (syscall(SYS_close_range, next, ~0U, 0) != 0) goto failed;
    if (request->descriptor_limit != 0) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0) goto failed;
        limit.rlim_cur = request->descriptor_limit;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) goto failed;
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(request->path, request->arguments, request->environment);
failed:
    *failure = errno != 0 ? errno : EINVAL;
    _exit(127);
}

// vfork(2), because the caller may be large and have many threads; its memory is not copied and the caller
// waits for execve. Targets ascend; at most 16.
// Returns the process id, or -1 with errno, also for what failed in the child before or in execve.
__attribute__((noinline)) static pid_t shim_spawn_process(const struct shim_spawn_request *request) {
    volatile int failure = 0;
    sigset_t all, before;
    sigfillset(&all);
    if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return -1;
    pid_t parent = getpid();
    pid_t child = vfork();
    if (child == 0) shim_spawn_child(request, parent, &failure);
    int vfork_error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child < 0) {
        errno = vfork_error;
        return -1;
    }
    if (failure != 0) {
        int status;
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
        errno = failure;
        return -1;
    }
    return child;
}

// Swift's strings and arrays have addresses for the time of a call only.
static inline pid_t shim_spawn(
    const char *path, char *const *arguments, char *const *environment, const int *sources, const int *targets,
    int descriptor_count, int parent_death_signal, int creation_mask, uint64_t descriptor_limit
) {
    const struct shim_spawn_request request = {
        path, arguments, environment, sources, targets, descriptor_count, parent_death_signal, creation_mask, descriptor_limit,
    };
    return shim_spawn_process(&request);
}

// Waits for a child. Gives how it ended: *code is CLD_EXITED, CLD_KILLED or CLD_DUMPED, or 0 when `nohang`
// and it still runs; *status the exit status or signal.
static inline int shim_wait_process(pid_t process, int nohang, int *code, int *status) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    int result = waitid(P_PID, (id_t)process, &info, WEXITED | (nohang ? WNOHANG : 0));
    if (result != 0) return result;
    *code = info.si_pid == 0 ? 0 : info.si_code;
    *status = info.si_status;
    return 0;
}

// The overlay compiles the C library's headers without _GNU_SOURCE, which hides these declarations: fcntl(2), memfd_create(2).
enum { shim_add_seals = 1033, shim_size_seals = 0x0001 | 0x0002 | 0x0004 /* SEAL, SHRINK, GROW */ };
static inline int shim_memfd_create(const char *name) {
    return (int)syscall(SYS_memfd_create, name, 0x0001u | 0x0002u /* CLOEXEC, ALLOW_SEALING */);
}
static inline int shim_seal_size(int fd) { return fcntl(fd, shim_add_seals, shim_size_seals); }
// 37 is F_OFD_SETLK. A lock of one byte; not a process's but the open file's.
static inline int shim_lock_byte(int fd, int64_t byte, int isLocked) {
    struct flock lock = {.l_type = isLocked ? F_WRLCK : F_UNLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(fd, 37, &lock);
}
static inline int shim_pipe(int *ends, int flags) { return (int)syscall(SYS_pipe2, ends, flags); }
static inline ssize_t shim_own_executable(void *buffer, size_t length) {
    return readlink("/proc/self/exe", (char *)buffer, length);
}

// The resources' numbers are an enumeration in some versions of the header and macros in others.
static inline int shim_confine_resources(uint64_t address_space, uint64_t descriptors, uint64_t file_size) {
    const struct { int resource; uint64_t value; } limits[] = {
        {RLIMIT_AS, address_space}, {RLIMIT_NOFILE, descriptors}, {RLIMIT_NPROC, 0},
        {RLIMIT_FSIZE, file_size}, {RLIMIT_CORE, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        struct rlimit limit = {limits[i].value, limits[i].value};
        if (setrlimit(limits[i].resource, &limit) != 0) return -1;
    }
    return 0;
}

// RLIMIT_NOFILE: the soft limit or, with `hard`, the hard one; 0 when it cannot be read.
static inline uint64_t shim_descriptor_limit(int hard) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
    return hard ? limit.rlim_max : limit.rlim_cur;
}
static inline int shim_raise_descriptor_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(RLIMIT_NOFILE, &limit);
}

// The attribute structure of the build system's header may be older than the kernel: fields up to the scopes of ABI 6.
struct shim_landlock_attributes {
    uint64_t handled_access_fs;
    uint64_t handled_access_net;
    uint64_t scoped;
};
static inline int shim_landlock_version(void) {
    return (int)syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}
static inline int shim_landlock_ruleset(const struct shim_landlock_attributes *attributes, size_t size) {
    return (int)syscall(SYS_landlock_create_ruleset, attributes, size, 0);
}

// Calls that a confined process must not make; a test proves with them that it cannot.
static inline void shim_try_forbidden(const char *name) {
    static char *const none[] = {NULL};
    if (!strcmp(name, "open")) syscall(SYS_openat, AT_FDCWD, "/etc/hostname", O_RDONLY, 0);
    else if (!strcmp(name, "socket")) syscall(SYS_socket, AF_INET, SOCK_STREAM, 0);
    else if (!strcmp(name, "fork")) syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    else if (!strcmp(name, "execute")) syscall(SYS_execve, "/bin/true", none, none);
    else if (!strcmp(name, "thread")) syscall(SYS_clone3, NULL, 0);
    else if (!strcmp(name, "executable-memory")) syscall(SYS_mmap, NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    else if (!strcmp(name, "trace")) syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0);
}

// Without _GNU_SOURCE <pthread.h> does not declare it: pthread_clockjoin_np(3) with CLOCK_MONOTONIC. 0, or an error number.
int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock, const struct timespec *deadline);
static inline int shim_join_until(pthread_t thread, const struct timespec *deadline) {
    return pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, deadline);
}
