#include "test_clock.h"

#include <sqlite3.h>

// Milliseconds from the beginning of the Julian calendar to 1970.
static const sqlite3_int64 epoch = 210866760000000;

static _Thread_local int64_t now;
static sqlite3_vfs *usual;
static sqlite3_vfs clock_vfs;

static int current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
    (void)vfs;
    if (now == 0) return usual->xCurrentTimeInt64(usual, time);
    *time = epoch + now;
    return SQLITE_OK;
}

static int current_time(sqlite3_vfs *vfs, double *time) {
    sqlite3_int64 milliseconds;
    int code = current_time_int64(vfs, &milliseconds);
    *time = milliseconds / 86400000.0;
    return code;
}

int test_clock_install(void) {
    if (usual) return SQLITE_OK;
    usual = sqlite3_vfs_find(0);
    clock_vfs = *usual;
    clock_vfs.zName = "test clock";
    clock_vfs.pNext = 0;
    clock_vfs.xCurrentTime = current_time;
    clock_vfs.xCurrentTimeInt64 = current_time_int64;
    return sqlite3_vfs_register(&clock_vfs, 1);
}

void test_clock_set(int64_t milliseconds) { now = milliseconds; }
