#pragma once
#include <sqlite3.h>

// One file system for recordings and for the clock, because tests of both run at a time: the end of a recording must not be the end of
// the clock. It is the usual one from the first use on, and passes on what nobody records.

// 0 or an SQLite code.
int test_vfs_install(void);
// Gives a file system the clock of the tests.
void test_clock_use(sqlite3_vfs *vfs, sqlite3_vfs *usual);
