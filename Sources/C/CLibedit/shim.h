#pragma once
#include <histedit.h>
#include <locale.h>
#include <stdio.h>

// Functions with variable arguments and macros of editline, which Swift does not import.
typedef int (*shim_character_reader)(EditLine *, wchar_t *);
typedef unsigned char (*shim_key_function)(EditLine *, int);
typedef char *(*shim_prompt)(EditLine *);

static inline EditLine *shim_editor(const char *program) {
    setlocale(LC_CTYPE, "C.UTF-8");
    return el_init(program, stdin, stdout, stderr);
}
static inline void *shim_client_data(EditLine *editor) {
    void *data = NULL;
    el_get(editor, EL_CLIENTDATA, &data);
    return data;
}
static inline int shim_prepare(EditLine *editor, void *data, shim_prompt prompt, shim_character_reader reader,
                               shim_key_function completer, History *history) {
    int failed = el_set(editor, EL_CLIENTDATA, data);
    failed |= el_set(editor, EL_PROMPT, prompt);
    failed |= el_set(editor, EL_EDITOR, "emacs");
    failed |= el_set(editor, EL_SIGNAL, 1);
    failed |= el_set(editor, EL_GETCFN, reader);
    failed |= el_set(editor, EL_HIST, history, history);
    failed |= el_set(editor, EL_ADDFN, "complete-name", "Complete a name", completer);
    failed |= el_set(editor, EL_BIND, "^I", "complete-name", NULL);
    failed |= el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    return failed;
}
static inline int shim_history_size(History *list, int size) {
    HistEvent event;
    return history(list, &event, H_SETSIZE, size) | history(list, &event, H_SETUNIQUE, 1);
}
static inline int shim_remember(History *list, const char *line) {
    HistEvent event;
    return history(list, &event, H_ENTER, line);
}
static inline void shim_refresh(EditLine *editor) { el_set(editor, EL_REFRESH); }
static inline void shim_print(const char *text) {
    fputs(text, stdout);
    fflush(stdout);
}
static inline unsigned char shim_refreshed(void) { return CC_REDISPLAY; }
static inline unsigned char shim_changed(void) { return CC_REFRESH; }
static inline unsigned char shim_refused(void) { return CC_REFRESH_BEEP; }
