internal import CFFmpeg
internal import Glibc

/// Settings of the libraries for the whole process.
public enum FFmpegLibrary {
    /// Reads what the libraries would read from the file system while they decode: the time zone. They write nothing to stderr.
    public static func prepareForSandbox() {
        // A zone without a file; times in tags are not shown.
        unsafe setenv("TZ", "UTC0", 1)
        tzset()
        av_log_set_level(AV_LOG_QUIET)
    }
}
