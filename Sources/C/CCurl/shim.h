#pragma once
// libcurl is loaded at its first use, not linked: with the two dozen libraries that it depends on it costs 5 MB resident and
// most of a program's start, and an idle daemon does not need it.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <arpa/inet.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define CURL_FUNCTIONS(each) \
    each(global_init) each(free) each(getdate) each(slist_append) each(slist_free_all) \
    each(easy_init) each(easy_cleanup) each(easy_reset) each(easy_pause) each(easy_setopt) each(easy_getinfo) \
    each(easy_strerror) \
    each(multi_init) each(multi_cleanup) each(multi_add_handle) each(multi_remove_handle) each(multi_setopt) \
    each(multi_perform) each(multi_poll) each(multi_wakeup) each(multi_info_read) each(multi_strerror) \
    each(url) each(url_cleanup) each(url_get) each(url_set)

// The functions used, each with its declared type.
struct curl_functions {
#define CURL_FIELD(name) __typeof__(curl_##name) *_Nonnull name;
    CURL_FUNCTIONS(CURL_FIELD)
#undef CURL_FIELD
};

// The functions; NULL if libcurl or one of them is missing (see dlerror(3)).
static inline struct curl_functions *_Nullable shim_load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return NULL;
    static struct curl_functions storage;
    struct curl_functions *found = &storage;
#define CURL_LOOK_UP(name) \
    void *name = dlsym(library, "curl_" #name); \
    if (!name) return NULL; \
    found->name = (__typeof__(curl_##name) *)name;
    CURL_FUNCTIONS(CURL_LOOK_UP)
#undef CURL_LOOK_UP
    return found;
}

typedef size_t (*shim_sink)(char *bytes, size_t size, size_t count, void *context);
typedef const struct curl_functions *_Nonnull shim_functions;

// The option and information calls are variadic, which Swift cannot call: one function for each type of argument.
static inline CURLcode shim_set_long(shim_functions curl, CURL *easy, CURLoption option, long value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_text(shim_functions curl, CURL *easy, CURLoption option, const char *value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_pointer(shim_functions curl, CURL *easy, CURLoption option, void *value) {
    return curl->easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_list(shim_functions curl, CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl->easy_setopt(easy, option, value);
}
// Sets a request's callbacks, and the objects that they get. Returns the first error.
static inline CURLcode shim_set_callbacks(
    shim_functions curl, CURL *easy, void *transfer, void *sockets, shim_sink header_line, shim_sink body,
    curl_xferinfo_callback progress, curl_opensocket_callback open_socket, curl_prereq_callback gate,
    curl_closesocket_callback close_socket) {
    CURLcode code = CURLE_OK;
#define CURL_SET(option, value) if (code == CURLE_OK) code = curl->easy_setopt(easy, option, value)
    CURL_SET(CURLOPT_PRIVATE, transfer);
    CURL_SET(CURLOPT_HEADERDATA, transfer);
    CURL_SET(CURLOPT_HEADERFUNCTION, header_line);
    CURL_SET(CURLOPT_WRITEDATA, transfer);
    CURL_SET(CURLOPT_WRITEFUNCTION, body);
    CURL_SET(CURLOPT_XFERINFODATA, transfer);
    CURL_SET(CURLOPT_XFERINFOFUNCTION, progress);
    CURL_SET(CURLOPT_NOPROGRESS, 0L);
    CURL_SET(CURLOPT_OPENSOCKETDATA, transfer);
    CURL_SET(CURLOPT_OPENSOCKETFUNCTION, open_socket);
    CURL_SET(CURLOPT_PREREQDATA, transfer);
    CURL_SET(CURLOPT_PREREQFUNCTION, gate);
    CURL_SET(CURLOPT_CLOSESOCKETDATA, sockets);
    CURL_SET(CURLOPT_CLOSESOCKETFUNCTION, close_socket);
#undef CURL_SET
    return code;
}
static inline CURLcode shim_info_text(shim_functions curl, CURL *easy, CURLINFO info, const char **value) {
    return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode shim_info_long(shim_functions curl, CURL *easy, CURLINFO info, long *value) {
    return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode shim_info_number(shim_functions curl, CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl->easy_getinfo(easy, info, value);
}
static inline CURLcode shim_info_context(shim_functions curl, CURL *easy, void **value) {
    return curl->easy_getinfo(easy, CURLINFO_PRIVATE, (char **)value);
}
static inline CURLMcode shim_multi_set_long(shim_functions curl, CURLM *multi, CURLMoption option, long value) {
    return curl->multi_setopt(multi, option, value);
}
// The message's data is a union.
static inline CURLcode shim_message_result(const CURLMsg *message) { return message->data.result; }
// Values of a macro with a cast, and of casts to long.
// With several schemes libcurl first sends a request without a login, then uses the best scheme that the server offers.
static inline long shim_basic_or_digest(void) { return (long)(CURLAUTH_BASIC | CURLAUTH_DIGEST); }
static inline size_t shim_write_error(void) { return CURL_WRITEFUNC_ERROR; }

// The bytes of an address before a connection: 4 or 16, or 0 if it is not an IP address. The address in a `curl_sockaddr` is
// longer than its declared type.
static inline int shim_address(const struct curl_sockaddr *address, unsigned char bytes[_Nonnull 16]) {
    const void *start = &address->addr;
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)start)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)start)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
