/* mpeg_floor URL SECONDS: the least that playing MP3 in real time costs: libcurl fetches the file into memory, then every 500 ms
 * half a second is decoded by libmpg123 and dropped. Ends after SECONDS of sound. */
#include "fetched_file.h"
#include <mpg123.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    double left = atof(argv[2]);
    if (!fetch(argv[1])) return 1;
    int code;
    mpg123_handle *decoder = mpg123_new(NULL, &code);
    mpg123_param(decoder, MPG123_ADD_FLAGS, MPG123_QUIET | MPG123_FORCE_FLOAT, 0);
    if (!decoder || mpg123_open_feed(decoder) != MPG123_OK) return 1;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec period = {{0, 500000000}, {0, 500000000}};
    timerfd_settime(timer, 0, &period, NULL);
    size_t place = 0;
    long rate = 44100;
    int channels = 2, encoding;
    for (double ahead = 0; left > 0;) {
        unsigned long long ticks;
        if (read(timer, &ticks, 8) != 8) return 1;
        for (ahead -= 0.5 * (double)ticks; ahead < 0.5;) {
            unsigned char *sound;
            size_t got = 0;
            off_t number;
            code = mpg123_decode_frame(decoder, &number, &sound, &got);
            if (code == MPG123_NEW_FORMAT) mpg123_getformat(decoder, &rate, &channels, &encoding);
            if (code == MPG123_NEED_MORE) {
                size_t n = count - place < 16384 ? count - place : 16384;
                if (n == 0) return 0;
                mpg123_feed(decoder, bytes + place, n);
                place += n;
            }
            ahead += (double)got / (sizeof(float) * (size_t)channels) / (double)rate;
        }
        left -= 0.5 * (double)ticks;
    }
    return 0;
}
