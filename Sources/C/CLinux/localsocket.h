#pragma once
// Unix sockets: names that <sys/socket.h> hides when another module included it before without _GNU_SOURCE.
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
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
// Takes bytes, and at most one descriptor that came with them: recvmsg(2), unix(7) SCM_RIGHTS. The kernel closes further ones.
// `*descriptor` is -1 without one.
static inline ssize_t shim_receive_with_descriptor(int socket, void *bytes, size_t count, int *descriptor) {
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(int))]; } control;
    struct iovec vector = {bytes, count};
    struct msghdr message = {0};
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    *descriptor = -1;
    ssize_t received = recvmsg(socket, &message, 0x40000000 /* MSG_CMSG_CLOEXEC */);
    if (received < 0) return received;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == 1 /* SCM_RIGHTS */
        && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(descriptor, CMSG_DATA(header), sizeof(int));
    return received;
}
// Whether a descriptor can only be read: not opened for writing, nor with O_PATH, which <fcntl.h> hides.
static inline int shim_is_read_only(int descriptor) {
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && (flags & (O_ACCMODE | 010000000)) == O_RDONLY;
}
// Sends bytes, at least one, with a descriptor: sendmsg(2).
static inline ssize_t shim_send_with_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    union { struct cmsghdr header; char bytes[CMSG_SPACE(sizeof(int))]; } control;
    struct iovec vector = {(void *)bytes, count};
    struct msghdr message = {0};
    memset(&control, 0, sizeof control);
    message.msg_iov = &vector;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = 1;
    control.header.cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(&control.header), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}
// Accepts a connection that does not block and that no started program inherits.
static inline int shim_accept_nonblocking(int socket) {
    return (int)syscall(SYS_accept4, socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
