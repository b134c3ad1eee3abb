/* refresh_floor LIBRARY URLS: the cost of a refresh with nothing but libcurl, libxml2 and SQLite. Fetches every URL
   of a file, 64 at once, with the ETag of the last fetch; stores feeds and their items, one row for each, found by its GUID. */
#include "feed_model.h"
#include <curl/curl.h>
#include <sqlite3.h>
#include <stdio.h>

enum { PARALLEL = 64 };
struct fetch { CURL *handle; struct curl_slist *headers; struct model model; xmlParserCtxtPtr parser; char url[512], etag[256]; };

static sqlite3 *library;
static sqlite3_stmt *find, *keep_feed, *keep_item;
static long refreshed, unchanged, failed;

static sqlite3_stmt *prepare(const char *text) {
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(library, text, -1, &statement, NULL)) exit((fprintf(stderr, "%s\n", sqlite3_errmsg(library)), 70));
    return statement;
}
static void forget(struct model *m) {
    while (m->items) {
        struct item *item = m->items;
        m->items = item->next;
        while (item->fields) {
            struct field *field = item->fields;
            item->fields = field->next;
            free(field->name), free(field->text), free(field);
        }
        free(item);
    }
    free(m->text);
    *m = (struct model){0};
}
static size_t body(char *bytes, size_t size, size_t count, void *context) {
    struct fetch *fetch = context;
    if (!fetch->parser) fetch->parser = parser_into(&fetch->model);
    xmlParseChunk(fetch->parser, bytes, (int)(size * count), 0);
    return size * count;
}
static size_t header(char *bytes, size_t size, size_t count, void *context) {
    struct fetch *fetch = context;
    size_t length = size * count;
    if (length > 8 && length < sizeof fetch->etag && !strncasecmp(bytes, "etag: ", 6))
        snprintf(fetch->etag, sizeof fetch->etag, "%.*s", (int)(length - 8), bytes + 6);
    return length;
}
static void begin(CURLM *multi, struct fetch *fetch) {
    fetch->etag[0] = 0;
    fetch->headers = NULL;
    sqlite3_bind_text(find, 1, fetch->url, -1, SQLITE_STATIC);
    if (sqlite3_step(find) == SQLITE_ROW) {
        char line[300];
        snprintf(line, sizeof line, "If-None-Match: %s", sqlite3_column_text(find, 0));
        fetch->headers = curl_slist_append(NULL, line);
    }
    sqlite3_reset(find);
    curl_easy_reset(fetch->handle);
    curl_easy_setopt(fetch->handle, CURLOPT_URL, fetch->url);
    curl_easy_setopt(fetch->handle, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(fetch->handle, CURLOPT_HTTPHEADER, fetch->headers);
    curl_easy_setopt(fetch->handle, CURLOPT_WRITEFUNCTION, body);
    curl_easy_setopt(fetch->handle, CURLOPT_WRITEDATA, fetch);
    curl_easy_setopt(fetch->handle, CURLOPT_HEADERFUNCTION, header);
    curl_easy_setopt(fetch->handle, CURLOPT_HEADERDATA, fetch);
    curl_easy_setopt(fetch->handle, CURLOPT_PRIVATE, fetch);
    curl_multi_add_handle(multi, fetch->handle);
}
static void store(struct fetch *fetch) {
    static const char *const columns[] = {"guid", "title", "link", "pubDate", "description", "encoded", "duration", "url", "type"};
    for (struct item *item = fetch->model.items; item; item = item->next) {
        sqlite3_clear_bindings(keep_item);
        sqlite3_bind_text(keep_item, 1, fetch->url, -1, SQLITE_STATIC);
        for (struct field *field = item->fields; field; field = field->next)
            for (int i = 0; i < 9; i++)
                if (!strcmp(field->name, columns[i])) sqlite3_bind_text(keep_item, i + 2, field->text, -1, SQLITE_STATIC);
        sqlite3_step(keep_item), sqlite3_reset(keep_item);
    }
    sqlite3_bind_text(keep_feed, 1, fetch->url, -1, SQLITE_STATIC);
    sqlite3_bind_text(keep_feed, 2, fetch->etag, -1, SQLITE_STATIC);
    sqlite3_step(keep_feed), sqlite3_reset(keep_feed);
}
static void end_fetch(struct fetch *fetch, CURLcode result) {
    long status = 0;
    curl_easy_getinfo(fetch->handle, CURLINFO_RESPONSE_CODE, &status);
    if (fetch->parser) xmlParseChunk(fetch->parser, "", 0, 1);
    if (!result && status == 304) unchanged++;
    else if (!result && status == 200) refreshed++, store(fetch);
    else failed++;
    if (fetch->parser) xmlFreeParserCtxt(fetch->parser);
    fetch->parser = NULL;
    forget(&fetch->model);
    curl_slist_free_all(fetch->headers);
}

int main(int argc, char **argv) {
    static struct fetch fetches[PARALLEL];
    if (argc != 3 || sqlite3_open(argv[1], &library) || !freopen(argv[2], "r", stdin)) return 64;
    sqlite3_exec(library, "pragma journal_mode = wal; pragma synchronous = normal;"
        "create table if not exists feed (url text primary key, etag text);"
        "create table if not exists item (id integer primary key, feed text, guid text, title text, link text, date text,"
        " summary text, content text, duration text, media text, type text, unique (feed, guid));"
        "create index if not exists item_by_date on item (feed, date); begin", NULL, NULL, NULL);
    find = prepare("select etag from feed where url = ?");
    keep_feed = prepare("insert into feed values (?, ?) on conflict do update set etag = excluded.etag");
    keep_item = prepare("insert into item (feed, guid, title, link, date, summary, content, duration, media, type)"
                        " values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing");
    curl_global_init(CURL_GLOBAL_DEFAULT);
    CURLM *multi = curl_multi_init();
    int live = 0, running;
    for (; live < PARALLEL && fgets(fetches[live].url, sizeof fetches[live].url, stdin); live++) {
        fetches[live].url[strcspn(fetches[live].url, "\n")] = 0;
        fetches[live].handle = curl_easy_init();
        begin(multi, &fetches[live]);
    }
    while (live) {
        curl_multi_perform(multi, &running);
        CURLMsg *message;
        int left;
        while ((message = curl_multi_info_read(multi, &left))) {
            struct fetch *fetch;
            CURLcode result = message->data.result;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &fetch);
            end_fetch(fetch, result);
            curl_multi_remove_handle(multi, fetch->handle);
            if (fgets(fetch->url, sizeof fetch->url, stdin)) {
                fetch->url[strcspn(fetch->url, "\n")] = 0;
                begin(multi, fetch);
            } else live--;
        }
        if (live) curl_multi_poll(multi, NULL, 0, 1000, NULL);
    }
    sqlite3_exec(library, "commit", NULL, NULL, NULL);
    printf("%ld refreshed, %ld unchanged, %ld failed\n", refreshed, unchanged, failed);
    return failed ? 75 : 0;
}
