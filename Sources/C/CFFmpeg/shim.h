#pragma once
#include <errno.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Macros that Swift does not import.
static const int shim_error_exit = AVERROR_EXIT;
static const int shim_error_end = AVERROR_EOF;
static const int shim_error_again = AVERROR(EAGAIN);
static const int shim_error_memory = AVERROR(ENOMEM);
static const int shim_error_unsupported = AVERROR(ENOSYS);
static const int shim_error_data = AVERROR_INVALIDDATA;
static const int shim_error_decoder = AVERROR_DECODER_NOT_FOUND;
static const int shim_error_encoder = AVERROR_ENCODER_NOT_FOUND;
static const int64_t shim_no_time = AV_NOPTS_VALUE;
// An enumeration's member since FFmpeg 8, a macro before.
static const int shim_scale_by_area = SWS_AREA;
// YCbCr of the full range, as in JPEG files.
static const enum AVPixelFormat shim_pixels_jpeg = AV_PIX_FMT_YUVJ420P;
