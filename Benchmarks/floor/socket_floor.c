/* Replies to each line on a Unix socket with the same line of 435 bytes, using epoll and nothing else: the lowest possible cost of a
 * request and its reply between two processes on this machine at this time.
 *
 *   socket_floor SOCKET */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { ANSWER = 435 };

static void fail(const char *what) {
    perror(what);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 2) return 64;
    char answer[ANSWER];
    memset(answer, '{', sizeof answer);
    answer[ANSWER - 1] = '\n';
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, argv[1], sizeof address.sun_path - 1);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), poll = epoll_create1(EPOLL_CLOEXEC);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 16) < 0) fail(argv[1]);
    epoll_ctl(poll, EPOLL_CTL_ADD, listener, &(struct epoll_event){.events = EPOLLIN, .data.fd = listener});
    for (;;) {
        struct epoll_event events[64];
        int ready = epoll_wait(poll, events, 64, -1);
        for (int i = 0; i < ready; i++) {
            int client = events[i].data.fd;
            char line[4096];
            if (client == listener) {
                client = accept(listener, NULL, NULL);
                epoll_ctl(poll, EPOLL_CTL_ADD, client, &(struct epoll_event){.events = EPOLLIN, .data.fd = client});
            } else if (recv(client, line, sizeof line, 0) <= 0) {
                close(client);
                continue;
            }
            if (send(client, answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer) close(client);
        }
    }
}
