#pragma once
#include <stdint.h>

// The time of SQL functions such as unixepoch(), for tests: connections that are opened after the installation have it.

// Once in a process, on any thread, before others use it. 0 or an SQLite code.
int test_clock_install(void);
// For this thread, in milliseconds since 1970; 0 for the true time.
void test_clock_set(int64_t milliseconds);
