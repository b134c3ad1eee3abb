#pragma once
#include <stdint.h>

#include "test_clock.h"

// A file system of SQLite's that does what the usual one does, and writes down in which order the files of one folder were
// written and synced: what a power cut is worked out from. For tests.

// What a record says; its payload of `length` bytes follows it.
struct recording_record {
    uint32_t kind;    // one of the below
    uint32_t file;    // number of the file's name, from 0
    uint64_t offset;  // of a write; the new size of a truncation; the number of a mark
    uint64_t length;  // bytes that follow
};
enum {
    recording_name = 1,  // the payload is the name of the file numbered so
    recording_write = 2,
    recording_truncate = 3,
    recording_sync = 4,
    recording_delete = 5,
    recording_mark = 6,
};

// Begins to record what happens below a folder into a file; later opened connections are concerned. 0 or an SQLite code.
int recording_vfs_start(const char *folder, const char *log_path);
// Writes fail with an SQLite code from the one of this number on, counted with syncs from 1 at this call; a sync of this
// number fails once. With 0 none fails.
void recording_vfs_refuse(uint64_t change, int code);
// Writes and syncs since then.
uint64_t recording_vfs_changes(void);
// Writes down that everything up to here was acknowledged.
void recording_vfs_note(uint64_t number);
// Ends the recording; connections opened during it must be closed.
void recording_vfs_stop(void);
