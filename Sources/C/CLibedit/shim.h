#pragma once
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

// Functions with variable arguments and macros of editline, which Swift does not import.
typedef int (*shim_character_reader)(EditLine *, wchar_t *);
typedef unsigned char (*shim_key_function)(EditLine *, int);
typedef char *(*shim_prompt)(EditLine *);

static inline EditLine *shim_editor(const char *program) {
    if (setlocale(LC_CTYPE, "C.UTF-8") == NULL) setlocale(LC_CTYPE, "");
    return el_init(program, stdin, stdout, stderr);
}
static inline void *shim_client_data(EditLine *editor) {
    void *data = NULL;
    el_get(editor, EL_CLIENTDATA, &data);
    return data;
}
static unsigned char shim_send_signal(EditLine *editor, int key) {
    raise(key == ('Z' & 0x1F) ? SIGTSTP : SIGQUIT);
    return CC_REFRESH;
}
static inline int shim_prepare(EditLine *editor, void *data, shim_prompt prompt, shim_character_reader reader,
                               shim_key_function completer, shim_key_function paster,
                               shim_key_function interrupter, History *list) {
    int failed = el_set(editor, EL_CLIENTDATA, data);
    failed |= el_set(editor, EL_PROMPT, prompt);
    failed |= el_set(editor, EL_EDITOR, "emacs");
    failed |= el_set(editor, EL_SIGNAL, 1);
    failed |= el_set(editor, EL_GETCFN, reader);
    failed |= el_set(editor, EL_HIST, history, list);
    failed |= el_set(editor, EL_ADDFN, "complete-name", "Complete a name", completer);
    failed |= el_set(editor, EL_BIND, "^I", "complete-name", NULL);
    failed |= el_set(editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    failed |= el_set(editor, EL_ADDFN, "insert-paste", "Insert what is pasted", paster);
    failed |= el_set(editor, EL_BIND, "\033[200~", "insert-paste", NULL);
    // While a line is edited, ^C is a key and not a signal. ^Z and ^\ send theirs from here.
    failed |= el_set(editor, EL_SETTY, "-d", "-isig", NULL);
    failed |= el_set(editor, EL_ADDFN, "send-signal", "Stop or quit", shim_send_signal);
    failed |= el_set(editor, EL_BIND, "^Z", "send-signal", NULL);
    failed |= el_set(editor, EL_BIND, "^\\", "send-signal", NULL);
    failed |= el_set(editor, EL_ADDFN, "discard-line", "Discard the line", interrupter);
    failed |= el_set(editor, EL_BIND, "^C", "discard-line", NULL);
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
// Bracketed paste of xterm: the terminal marks what is pasted, so that it is not taken for typed keys.
static const char shim_paste_on[] = "\033[?2004h", shim_paste_off[] = "\033[?2004l";
static const int shim_ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
enum { shim_ending_signal_count = sizeof shim_ending_signals / sizeof *shim_ending_signals };
static inline void shim_end_by_signal(int signal_number) {
    ssize_t ignored = write(STDOUT_FILENO, shim_paste_off, sizeof shim_paste_off - 1);
    (void)ignored;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}
// A line with bracketed paste, which is also switched off if a signal ends or stops the program: editline calls the handlers that
// it finds after its own.
static inline const char *shim_line(EditLine *editor, int *count) {
    struct sigaction before[shim_ending_signal_count], ending = {.sa_handler = shim_end_by_signal};
    sigemptyset(&ending.sa_mask);
    for (int index = 0; index < shim_ending_signal_count; index++)
        sigaction(shim_ending_signals[index], &ending, &before[index]);
    // Before the prompt, so that no key is handled by the terminal's driver.
    el_set(editor, EL_PREP_TERM, 1);
    shim_print(shim_paste_on);
    const char *line = el_gets(editor, count);
    shim_print(shim_paste_off);
    for (int index = 0; index < shim_ending_signal_count; index++)
        sigaction(shim_ending_signals[index], &before[index], NULL);
    return line;
}
static inline unsigned char shim_refreshed(void) { return CC_REDISPLAY; }
static inline unsigned char shim_changed(void) { return CC_REFRESH; }
static inline unsigned char shim_ended(void) { return CC_NEWLINE; }
static inline unsigned char shim_refused(void) { return CC_REFRESH_BEEP; }
