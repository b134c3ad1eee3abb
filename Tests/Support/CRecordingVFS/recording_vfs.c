#include "recording_vfs.h"
#include "test_vfs.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#define MAXIMUM_NAMES 32

typedef struct {
    sqlite3_file base;
    uint32_t number;
    sqlite3_file *real;  // in the memory after this
} recorded_file;

static sqlite3_vfs *usual;
static sqlite3_vfs recording;
static FILE *log_file;
static char watched[512];
static char names[MAXIMUM_NAMES][600];
static uint32_t name_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t change_count;
static uint64_t first_refused;  // the number of the change that fails; 0 for none
static int refusal_code;

// Counts a change. Writes fail from the first refused one on; a sync fails once, if it is that one.
static int refusal(int is_sync) {
    pthread_mutex_lock(&lock);
    uint64_t number = ++change_count;
    int is_first = number == first_refused;
    int is_refused = first_refused && number >= first_refused;
    int code = refusal_code;
    pthread_mutex_unlock(&lock);
    if (is_sync) return is_first ? SQLITE_IOERR_FSYNC : SQLITE_OK;
    return is_refused ? code : SQLITE_OK;
}

static void put(uint32_t kind, uint32_t file, uint64_t offset, const void *payload, uint64_t length) {
    pthread_mutex_lock(&lock);
    if (log_file) {
        struct recording_record record = {kind, file, offset, length};
        fwrite(&record, sizeof record, 1, log_file);
        if (length) fwrite(payload, 1, length, log_file);
    }
    pthread_mutex_unlock(&lock);
}

static uint32_t number_of(const char *name) {
    for (uint32_t i = 0; i < name_count; i++) {
        if (strcmp(names[i], name) == 0) return i;
    }
    if (name_count == MAXIMUM_NAMES) return 0;
    snprintf(names[name_count], sizeof names[0], "%s", name);
    put(recording_name, name_count, 0, name, strlen(name));
    return name_count++;
}

#define REAL(file) (((recorded_file *)(file))->real)
#define NUMBER(file) (((recorded_file *)(file))->number)

static int file_close(sqlite3_file *f) { return REAL(f)->pMethods->xClose(REAL(f)); }
static int file_read(sqlite3_file *f, void *p, int n, sqlite3_int64 at) {
    return REAL(f)->pMethods->xRead(REAL(f), p, n, at);
}
static int file_write(sqlite3_file *f, const void *p, int n, sqlite3_int64 at) {
    int code = refusal(0);
    if (code == SQLITE_OK) code = REAL(f)->pMethods->xWrite(REAL(f), p, n, at);
    if (code == SQLITE_OK) put(recording_write, NUMBER(f), (uint64_t)at, p, (uint64_t)n);
    return code;
}
static int file_truncate(sqlite3_file *f, sqlite3_int64 size) {
    int code = REAL(f)->pMethods->xTruncate(REAL(f), size);
    if (code == SQLITE_OK) put(recording_truncate, NUMBER(f), (uint64_t)size, 0, 0);
    return code;
}
static int file_sync(sqlite3_file *f, int flags) {
    int code = refusal(1);
    if (code == SQLITE_OK) code = REAL(f)->pMethods->xSync(REAL(f), flags);
    if (code == SQLITE_OK) put(recording_sync, NUMBER(f), 0, 0, 0);
    return code;
}
static int file_size(sqlite3_file *f, sqlite3_int64 *size) { return REAL(f)->pMethods->xFileSize(REAL(f), size); }
static int file_lock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xLock(REAL(f), level); }
static int file_unlock(sqlite3_file *f, int level) { return REAL(f)->pMethods->xUnlock(REAL(f), level); }
static int file_is_reserved(sqlite3_file *f, int *out) { return REAL(f)->pMethods->xCheckReservedLock(REAL(f), out); }
static int file_control(sqlite3_file *f, int op, void *p) { return REAL(f)->pMethods->xFileControl(REAL(f), op, p); }
static int file_sector(sqlite3_file *f) { return REAL(f)->pMethods->xSectorSize(REAL(f)); }
// No promise of the device is passed on: writes may be torn and come in any order.
static int file_device(sqlite3_file *f) {
    (void)f;
    return 0;
}
static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **p) {
    return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, p);
}
static int file_shm_lock(sqlite3_file *f, int at, int n, int flags) {
    return REAL(f)->pMethods->xShmLock(REAL(f), at, n, flags);
}
static void file_shm_barrier(sqlite3_file *f) { REAL(f)->pMethods->xShmBarrier(REAL(f)); }
static int file_shm_unmap(sqlite3_file *f, int delete) { return REAL(f)->pMethods->xShmUnmap(REAL(f), delete); }

static const sqlite3_io_methods methods = {
    2,          file_close,  file_read,        file_write,   file_truncate, file_sync,   file_size,
    file_lock,  file_unlock, file_is_reserved, file_control, file_sector,   file_device, file_shm_map,
    file_shm_lock, file_shm_barrier, file_shm_unmap, 0, 0,
};

static int is_watched(const char *name) {
    pthread_mutex_lock(&lock);
    int is_watched = name && watched[0] && strncmp(name, watched, strlen(watched)) == 0;
    pthread_mutex_unlock(&lock);
    return is_watched;
}

static void watch(const char *folder) {
    pthread_mutex_lock(&lock);
    snprintf(watched, sizeof watched, "%s%s", folder, folder[0] ? "/" : "");
    pthread_mutex_unlock(&lock);
}

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *out) {
    (void)vfs;
    if (!is_watched(name)) return usual->xOpen(usual, name, f, flags, out);
    recorded_file *file = (recorded_file *)f;
    memset(file, 0, sizeof *file);
    file->real = (sqlite3_file *)(file + 1);
    int code = usual->xOpen(usual, name, file->real, flags, out);
    if (code != SQLITE_OK) return code;
    file->number = number_of(name);
    file->base.pMethods = &methods;
    return SQLITE_OK;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int syncs) {
    (void)vfs;
    int code = usual->xDelete(usual, name, syncs);
    if (code == SQLITE_OK && is_watched(name)) put(recording_delete, number_of(name), 0, 0, 0);
    return code;
}

static int installed;

static void install(void) {
    usual = sqlite3_vfs_find(0);
    recording = *usual;
    recording.zName = "test";
    recording.pNext = 0;
    recording.szOsFile = (int)sizeof(recorded_file) + usual->szOsFile;
    recording.xOpen = vfs_open;
    recording.xDelete = vfs_delete;
    test_clock_use(&recording, usual);
    installed = sqlite3_vfs_register(&recording, 1);
}

int test_vfs_install(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    return installed;
}

int recording_vfs_start(const char *folder, const char *log_path) {
    name_count = 0;
    recording_vfs_refuse(0, SQLITE_OK);
    log_file = fopen(log_path, "wb");
    if (!log_file) return SQLITE_CANTOPEN;
    watch(folder);
    return test_vfs_install();
}

void recording_vfs_refuse(uint64_t change, int code) {
    pthread_mutex_lock(&lock);
    change_count = 0;
    first_refused = change;
    refusal_code = code;
    pthread_mutex_unlock(&lock);
}

uint64_t recording_vfs_changes(void) {
    pthread_mutex_lock(&lock);
    uint64_t count = change_count;
    pthread_mutex_unlock(&lock);
    return count;
}

void recording_vfs_note(uint64_t number) { put(recording_mark, 0, number, 0, 0); }

void recording_vfs_stop(void) {
    watch("");
    pthread_mutex_lock(&lock);
    if (log_file) fclose(log_file);
    log_file = 0;
    pthread_mutex_unlock(&lock);
}
