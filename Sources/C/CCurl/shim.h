#pragma once
// libcurl's option and information calls are variadic, which Swift cannot call: one function for each type of argument.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

typedef size_t (*shim_sink)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode shim_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_set_sink(CURL *easy, CURLoption option, shim_sink value) {
    return curl_easy_setopt(easy, option, value);
}
static inline CURLcode shim_info_text(CURL *easy, CURLINFO info, const char **value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode shim_info_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode shim_info_number(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}
static inline CURLcode shim_info_context(CURL *easy, void **value) {
    return curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)value);
}
static inline CURLMcode shim_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}
// The message's data is a union.
static inline CURLcode shim_message_result(const CURLMsg *message) { return message->data.result; }
// Values of a macro with a cast, and of casts to long.
static inline size_t shim_write_error(void) { return CURL_WRITEFUNC_ERROR; }
static inline long shim_http_version(int allow2) { return allow2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1; }
