/* Requests a daemon's status on many connections from one thread, and prints the results as one line of JSON.
 *
 *   socket_load SOCKET closed CLIENTS SECONDS         each client sends the next request after each reply
 *   socket_load SOCKET closed-mpd CLIENTS SECONDS     the same with mpd and its protocol
 *   socket_load SOCKET open CLIENTS SECONDS RATE      RATE requests a second in total, sent on time even if replies are late
 *   socket_load SOCKET watch CLIENTS                  each client subscribes, then waits until standard input ends
 *
 * In the open loop a request's latency is measured from the time at which it was due, so a late reply counts in every request
 * that it delayed. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_UNANSWERED = 4096 };

struct client {
    int descriptor;
    /* When the requests without a reply yet were due: a ring. */
    int64_t due[MOST_UNANSWERED];
    unsigned asked, answered;
};

/* The request for the status, and the beginning of the line that ends a reply. */
static const char *request = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status.get\"}\n", *ending = "{";
static const char subscription[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status.subscribe\"}\n";
static struct client *clients;
static int count;
static int64_t *latencies;
static size_t latency_count, latency_room;

static void fail(const char *what) {
    fprintf(stderr, "socket_load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static int connect_to(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0) fail(path);
    return descriptor;
}

static void send_all(int descriptor, const char *bytes, size_t length) {
    if (send(descriptor, bytes, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
}

/* Reads one line and fails if more bytes follow. */
static void read_line(int descriptor) {
    char buffer[65536];
    ssize_t got;
    do {
        if ((got = recv(descriptor, buffer, sizeof buffer, 0)) <= 0) fail("the server closed");
    } while (buffer[got - 1] != '\n');
}

static void ask(struct client *client, int64_t due) {
    if (client->asked - client->answered == MOST_UNANSWERED) { errno = ETIMEDOUT; fail("answers"); }
    client->due[client->asked++ % MOST_UNANSWERED] = due;
    send_all(client->descriptor, request, strlen(request));
}

/* Reads replies; returns their number. */
static int take(struct client *client) {
    char buffer[65536];
    ssize_t got = recv(client->descriptor, buffer, sizeof buffer, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EAGAIN)) fail("the server closed");
    int lines = 0;
    int64_t instant = now();
    char *end = buffer + (got > 0 ? got : 0), *next;
    for (char *line = buffer; (next = memchr(line, '\n', end - line)); line = next + 1) {
        if (strncmp(line, ending, strlen(ending)) != 0) continue;
        lines++;
        if (latency_count == latency_room) {
            latency_room = latency_room ? latency_room * 2 : 1 << 16;
            if (!(latencies = realloc(latencies, latency_room * sizeof *latencies))) fail("memory");
        }
        latencies[latency_count++] = instant - client->due[client->answered++ % MOST_UNANSWERED];
    }
    return lines;
}

static int ascending(const void *left, const void *right) {
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

static void print_results(double seconds) {
    if (!latency_count) { errno = ENODATA; fail("answers"); }
    qsort(latencies, latency_count, sizeof *latencies, ascending);
    printf("{\"answers\": %zu, \"rate\": %.0f, \"median\": %.6f, \"p99\": %.6f, \"max\": %.6f}\n", latency_count,
           latency_count / seconds, latencies[latency_count / 2] / 1e9, latencies[latency_count * 99 / 100] / 1e9,
           latencies[latency_count - 1] / 1e9);
}

static void run(double seconds, double rate) {
    int poll = epoll_create1(EPOLL_CLOEXEC), timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    for (int i = 0; i < count; i++)
        epoll_ctl(poll, EPOLL_CTL_ADD, clients[i].descriptor, &(struct epoll_event){.events = EPOLLIN, .data.u32 = i});
    epoll_ctl(poll, EPOLL_CTL_ADD, timer, &(struct epoll_event){.events = EPOLLIN, .data.u32 = count});
    int64_t begin = now(), end = begin + (int64_t)(seconds * 1e9), sent = 0;
    if (rate == 0)
        for (int i = 0; i < count; i++) ask(&clients[i], now());
    while (now() < end) {
        if (rate > 0) {
            int64_t due;
            while ((due = begin + (int64_t)(sent * 1e9 / rate)) <= now()) ask(&clients[sent++ % count], due);
            struct itimerspec next = {.it_value = {due / 1000000000, due % 1000000000}};
            timerfd_settime(timer, TFD_TIMER_ABSTIME, &next, NULL);
        }
        struct epoll_event events[256];
        int ready = epoll_wait(poll, events, 256, 100);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.u32 == (uint32_t)count) continue;
            struct client *client = &clients[events[i].data.u32];
            if (take(client) && rate == 0) ask(client, now());
        }
    }
    double took = (now() - begin) / 1e9;
    /* Requests that were sent in time count, even if their replies are late. */
    for (int64_t limit = now() + INT64_C(5000000000); rate > 0 && now() < limit && latency_count < (size_t)sent;) {
        struct epoll_event event;
        if (epoll_wait(poll, &event, 1, 100) > 0 && event.data.u32 < (uint32_t)count) take(&clients[event.data.u32]);
    }
    if (rate > 0 && latency_count < (size_t)sent) { errno = ETIMEDOUT; fail("answers"); }
    print_results(took);
}

int main(int argc, char **argv) {
    if (argc < 4 || (count = atoi(argv[3])) < 1 || !(clients = calloc(count, sizeof *clients))) return 64;
    if (strcmp(argv[2], "closed-mpd") == 0) { request = "status\n"; ending = "OK"; }
    for (int i = 0; i < count; i++) {
        clients[i].descriptor = connect_to(argv[1]);
        read_line(clients[i].descriptor);
    }
    if (strcmp(argv[2], "watch") == 0) {
        for (int i = 0; i < count; i++) {
            send_all(clients[i].descriptor, subscription, sizeof subscription - 1);
            read_line(clients[i].descriptor);
        }
        puts("watching");
        fflush(stdout);
        return getchar() == EOF ? 0 : 1;
    }
    if (argc < 5) return 64;
    run(atof(argv[4]), strcmp(argv[2], "open") == 0 && argc > 5 ? atof(argv[5]) : 0);
    return 0;
}
