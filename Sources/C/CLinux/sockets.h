#pragma once
// Sockets: variadic ioctl(2), and accept4(2), which <sys/socket.h> hides when another module included it before
// without _GNU_SOURCE.
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Bytes that the peer has not acknowledged, or -1.
static inline int shim_unsent_bytes(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}

// Accepts a connection whose descriptor no started program inherits.
static inline int shim_accept(int socket) { return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC); }
