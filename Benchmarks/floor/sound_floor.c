// What libsonic and libebur128 cost alone: sound_floor read|loudness|speed X, then a file of 16 bit stereo at 44.1 kHz.
#include <ebur128.h>
#include <fcntl.h>
#include <sonic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum { RATE = 44100, CHANNELS = 2, BLOCK = 1152 };

int main(int count, char **words) {
    int file = open(words[count - 1], O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) return 1;
    const short *samples = mmap(0, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    long frames = status.st_size / sizeof(short) / CHANNELS;
    static short block[BLOCK * CHANNELS];
    static float floats[BLOCK * CHANNELS];
    sonicStream stream = 0;
    ebur128_state *meter = 0;
    if (!strcmp(words[1], "speed")) {
        stream = sonicCreateStream(RATE, CHANNELS);
        sonicSetSpeed(stream, atof(words[2]));
    } else if (!strcmp(words[1], "loudness")) {
        meter = ebur128_init(CHANNELS, RATE, EBUR128_MODE_I | EBUR128_MODE_HISTOGRAM);
    }
    for (long place = 0; place + BLOCK <= frames; place += BLOCK) {
        memcpy(block, samples + place * CHANNELS, sizeof block);
        if (stream) {
            sonicWriteShortToStream(stream, block, BLOCK);
            while (sonicReadShortFromStream(stream, block, BLOCK)) {}
        }
        if (meter) {
            for (int i = 0; i < BLOCK * CHANNELS; i++) floats[i] = block[i] / 32768.0f;
            ebur128_add_frames_float(meter, floats, BLOCK);
        }
    }
    double loudness;
    if (meter) ebur128_loudness_global(meter, &loudness);
    return 0;
}
