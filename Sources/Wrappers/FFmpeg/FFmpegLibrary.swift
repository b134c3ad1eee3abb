internal import CFFmpeg
internal import Glibc

/// Process-wide settings of the libraries.
public enum FFmpegLibrary {
    /// Loads the time zone, which decoding would read from the file system. Disables messages on stderr.
    public static func prepareForSandbox() {
        // A zone without a file; times in tags are not shown.
        unsafe setenv("TZ", "UTC0", 1)
        tzset()
        av_log_set_level(AV_LOG_QUIET)
    }
}
