#pragma once
// Pipes: variadic ioctl(2) and fcntl(2).
#include <fcntl.h>
#include <sys/ioctl.h>

// Bytes that the reader has not taken, or -1.
static inline int shim_unread_bytes(int descriptor) {
    int count = 0;
    return ioctl(descriptor, FIONREAD, &count) == 0 ? count : -1;
}
// 1031 is F_SETPIPE_SZ, which <fcntl.h> hides when another module included it before without _GNU_SOURCE.
static inline int shim_set_pipe_capacity(int descriptor, int bytes) {
    return fcntl(descriptor, 1031, bytes);
}
