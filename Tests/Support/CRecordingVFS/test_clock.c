#include "test_clock.h"
#include "test_vfs.h"

#include <sqlite3.h>

// Milliseconds from the beginning of the Julian calendar to 1970.
static const sqlite3_int64 epoch = 210866760000000;

static _Thread_local int64_t now;
static sqlite3_vfs *usual;

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

void test_clock_use(sqlite3_vfs *vfs, sqlite3_vfs *true_time) {
    usual = true_time;
    vfs->xCurrentTime = current_time;
    vfs->xCurrentTimeInt64 = current_time_int64;
}

int test_clock_install(void) { return test_vfs_install(); }

void test_clock_set(int64_t milliseconds) { now = milliseconds; }
