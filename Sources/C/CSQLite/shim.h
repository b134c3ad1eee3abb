#pragma once
// The session extension; Debian's library has it.
#define SQLITE_ENABLE_SESSION 1
#define SQLITE_ENABLE_PREUPDATE_HOOK 1
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

// sqlite3_config() is variadic. Without statistics of memory, no allocation takes SQLite's global mutex: adding episodes takes
// 9 % fewer instructions.
static inline int shim_disable_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
// sqlite3_db_config() is variadic.
static inline int shim_db_config(sqlite3 *db, int option, int value) {
    int now = 0;
    return sqlite3_db_config(db, option, value, &now);
}
// SQLITE_TRANSIENT is a macro with a cast, which Swift does not import. An empty text may have a null address, which would bind NULL.
static inline int shim_bind_text(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
// Creates the file of a database for its user alone, or gives the files that are there these rights: SQLite gives its log and
// index the rights of the database's file. A file that exists is not opened: closing it would release the locks that this
// process has on it through another connection.
static inline void shim_make_private(const char *path) {
    int created = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (created >= 0) {
        fchmod(created, 0600);
        close(created);
    }
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    char name[4096];
    for (unsigned i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        struct stat status;
        int length = snprintf(name, sizeof name, "%s%s", path, suffixes[i]);
        if (length < 0 || (size_t)length >= sizeof name || stat(name, &status) != 0) continue;
        if (S_ISREG(status.st_mode) && (status.st_mode & 07777) != 0600) (void)!chmod(name, 0600);
    }
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
