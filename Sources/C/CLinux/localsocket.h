#pragma once
// Unix sockets: names that <sys/socket.h> hides when another module included it before without _GNU_SOURCE.
#include <stdint.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

struct shim_credentials { int32_t process; uint32_t user; uint32_t group; };

// SO_PEERCRED (17 on every architecture but parisc and sparc): who connected. 0 or -1.
static inline int shim_peer_credentials(int socket, struct shim_credentials *credentials) {
    socklen_t length = sizeof *credentials;
    return getsockopt(socket, SOL_SOCKET, 17, credentials, &length);
}
// SO_PEERGROUPS (59): supplementary groups of who connected. The number of groups, or -1; ERANGE if there are more.
static inline int shim_peer_groups(int socket, uint32_t *groups, int capacity) {
    socklen_t length = (socklen_t)(capacity * (int)sizeof *groups);
    if (getsockopt(socket, SOL_SOCKET, 59, groups, &length) != 0) return -1;
    return (int)(length / sizeof *groups);
}
// Accepts a connection that does not block and that no started program inherits.
static inline int shim_accept_nonblocking(int socket) {
    return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
