#pragma once
#include <microhttpd.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <sys/socket.h>
#include "../CLinux/loading.h"

#define MICROHTTPD_FUNCTIONS(each) \
    each(MHD_start_daemon) each(MHD_stop_daemon) each(MHD_run) each(MHD_get_timeout) each(MHD_get_daemon_info) \
    each(MHD_get_connection_info) each(MHD_get_connection_values) each(MHD_suspend_connection) each(MHD_resume_connection) \
    each(MHD_create_response_from_buffer) each(MHD_create_response_from_callback) each(MHD_add_response_header) \
    each(MHD_queue_response) each(MHD_destroy_response)
SHIM_LIBRARY(microhttpd_functions, "libmicrohttpd.so.12", MICROHTTPD_FUNCTIONS)
typedef const struct microhttpd_functions *_Nonnull shim_microhttpd;

// MHD_start_daemon(3) and the functions for information are variadic, which Swift does not import. The server runs on its
// caller's thread (no MHD_USE_INTERNAL_POLLING_THREAD) and takes the listening socket over. `began` gets each request's target before
// the server splits the query.
static inline struct MHD_Daemon *shim_start(
    shim_microhttpd library, int listener, unsigned int connections, unsigned int per_address, unsigned int timeout_seconds, size_t header_bytes,
    void *(*began)(void *context, const char *target, struct MHD_Connection *connection),
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected,
    void *context) {
    return library->MHD_start_daemon(
        MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
        MHD_OPTION_LISTEN_SOCKET, listener,
        MHD_OPTION_CONNECTION_LIMIT, connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, header_bytes,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_URI_LOG_CALLBACK, began, context,
        MHD_OPTION_NOTIFY_COMPLETED, completed, context,
        MHD_OPTION_NOTIFY_CONNECTION, connected, context,
        MHD_OPTION_END);
}

// The descriptor that is readable when MHD_run(3) has something to do; -1 if there is none.
static inline int shim_event_descriptor(shim_microhttpd library, struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = library->MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    return info ? info->epoll_fd : -1;
}

static inline int shim_descriptor(shim_microhttpd library, struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = library->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

// Writes the text of a client's address, empty for a Unix socket. Returns whether the client is on this machine.
static inline int shim_client(shim_microhttpd library, struct MHD_Connection *connection, char *text, unsigned int size) {
    text[0] = 0;
    const union MHD_ConnectionInfo *info = library->MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info || !info->client_addr) return 0;
    const struct sockaddr *address = (const struct sockaddr *)info->client_addr;
    if (address->sa_family == AF_UNIX) return 1;
    if (address->sa_family == AF_INET) {
        const struct in_addr *four = &((const struct sockaddr_in *)address)->sin_addr;
        inet_ntop(AF_INET, four, text, size);
        return (ntohl(four->s_addr) >> 24) == 127;
    }
    if (address->sa_family == AF_INET6) {
        const struct in6_addr *six = &((const struct sockaddr_in6 *)address)->sin6_addr;
        inet_ntop(AF_INET6, six, text, size);
        if (IN6_IS_ADDR_V4MAPPED(six)) return six->s6_addr[12] == 127;
        return IN6_IS_ADDR_LOOPBACK(six);
    }
    return 0;
}
