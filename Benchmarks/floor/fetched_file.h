/* A file that libcurl fetches into memory. */
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *bytes;
static size_t count, room;

static size_t on_body(char *data, size_t size, size_t n, void *unused)
{
    (void)unused;
    if (count + size * n > room) {
        room = 2 * (count + size * n);
        bytes = realloc(bytes, room);
    }
    memcpy(bytes + count, data, size * n);
    count += size * n;
    return size * n;
}

static int fetch(const char *url)
{
    CURL *transfer = curl_easy_init();
    curl_easy_setopt(transfer, CURLOPT_URL, url);
    curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, on_body);
    return curl_easy_perform(transfer) == CURLE_OK;
}
