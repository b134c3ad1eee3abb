#pragma once
#include <sqlite3.h>

// sqlite3_db_config() is variadic.
static inline int shim_db_config(sqlite3 *db, int option, int value) {
    int now = 0;
    return sqlite3_db_config(db, option, value, &now);
}
// SQLITE_TRANSIENT is a macro with a cast, which Swift does not import.
static inline int shim_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
// The progress handler needs a counter that exists as long as the connection. Its four bytes are never freed, because only a
// short-lived program opens a few untrusted files.
static inline int shim_count_down(void *left) { return --*(int *)left <= 0; }
static inline void shim_limit_steps(sqlite3 *db, int thousands) {
    int *left = (int *)sqlite3_malloc(sizeof(int));
    if (!left) return;
    *left = thousands;
    sqlite3_progress_handler(db, 1000, shim_count_down, left);
}
// See shim_bind_text.
static inline int shim_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}
// The API of FTS5 is returned through a pointer parameter of an SQL function: fts5.html, section 7.
static inline fts5_api *shim_fts5_api(sqlite3 *db) {
    fts5_api *api = 0;
    sqlite3_stmt *statement = 0;
    if (sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, 0) == SQLITE_OK) {
        sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
        sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return api;
}
// SQLITE_TRANSIENT is a macro with a cast, which Swift does not import.
static inline void shim_result_text(sqlite3_context *context, const void *bytes, sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
