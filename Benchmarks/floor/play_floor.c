/* play_floor URL SECONDS: the least that playing AAC in real time costs: libcurl fetches the file into memory, then every 500 ms
 * half a second is decoded by FFmpeg's libraries and dropped. Ends after SECONDS of sound. */
#include "fetched_file.h"
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <sys/timerfd.h>
#include <unistd.h>

static size_t place;

static int on_read(void *unused, uint8_t *to, int most)
{
    (void)unused;
    size_t n = count - place < (size_t)most ? count - place : (size_t)most;
    if (n == 0) return AVERROR_EOF;
    memcpy(to, bytes + place, n);
    place += n;
    return (int)n;
}

static int64_t on_seek(void *unused, int64_t offset, int whence)
{
    (void)unused;
    if (whence == AVSEEK_SIZE) return (int64_t)count;
    place = (size_t)(whence == SEEK_CUR ? (int64_t)place + offset : whence == SEEK_END ? (int64_t)count + offset : offset);
    return (int64_t)place;
}

int main(int argc, char **argv)
{
    if (argc < 3) return 2;
    double left = atof(argv[2]);
    if (!fetch(argv[1])) return 1;
    AVFormatContext *file = avformat_alloc_context();
    file->pb = avio_alloc_context(av_malloc(32768), 32768, 0, NULL, on_read, NULL, on_seek);
    if (avformat_open_input(&file, NULL, NULL, NULL) || avformat_find_stream_info(file, NULL) < 0) return 1;
    int stream = av_find_best_stream(file, AVMEDIA_TYPE_AUDIO, -1, -1, NULL, 0);
    if (stream < 0) return 1;
    AVCodecParameters *kind = file->streams[stream]->codecpar;
    AVCodecContext *decoder = avcodec_alloc_context3(NULL);
    avcodec_parameters_to_context(decoder, kind);
    decoder->thread_count = 1;
    if (avcodec_open2(decoder, avcodec_find_decoder(kind->codec_id), NULL)) return 1;
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec period = {{0, 500000000}, {0, 500000000}};
    timerfd_settime(timer, 0, &period, NULL);
    double ahead = 0;
    while (left > 0) {
        unsigned long long ticks;
        if (read(timer, &ticks, 8) != 8) return 1;
        for (ahead -= 0.5 * (double)ticks; ahead < 0.5;) {
            if (av_read_frame(file, packet) < 0) return 0;
            if (packet->stream_index == stream && avcodec_send_packet(decoder, packet) == 0)
                while (avcodec_receive_frame(decoder, frame) == 0) ahead += (double)frame->nb_samples / kind->sample_rate;
            av_packet_unref(packet);
        }
        left -= 0.5 * (double)ticks;
    }
    return 0;
}
