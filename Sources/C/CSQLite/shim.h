#pragma once
#include <sqlite3.h>

// sqlite3_db_config() is variadic.
static inline int shim_db_config(sqlite3 *db, int option, int value) {
    int now = 0;
    return sqlite3_db_config(db, option, value, &now);
}
// SQLITE_TRANSIENT is a cast that the importer does not see.
static inline int shim_bind_text(sqlite3_stmt *statement, int index, const char *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
