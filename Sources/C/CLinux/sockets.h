#pragma once
// Sockets: variadic ioctl(2), and accept4(2), which <sys/socket.h> hides when another module included it before
// without _GNU_SOURCE.
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

// Bytes that the peer has not acknowledged, or -1.
static inline int shim_unsent_bytes(int socket) {
    int count = 0;
    return ioctl(socket, SIOCOUTQ, &count) == 0 ? count : -1;
}

// Bytes that arrived and were taken: tcp(7) TCP_INFO, `tcpi_bytes_received` at its place in the kernel's structure, since
// the C library's declaration ends before it, without those that wait (SIOCINQ). 0 when that cannot be known.
static inline uint64_t shim_consumed_bytes(int socket) {
    unsigned char info[256];
    socklen_t length = sizeof info;
    int waiting = 0;
    uint64_t received;
    if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, info, &length) != 0 || length < 136) return 0;
    if (ioctl(socket, SIOCINQ, &waiting) != 0) return 0;
    memcpy(&received, info + 128, sizeof received);
    return received - (uint64_t)waiting;
}

// Accepts a connection whose descriptor no started program inherits.
static inline int shim_accept(int socket) { return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC); }
