internal import CFFmpeg
internal import Glibc

/// A failed call of FFmpeg's libraries, with the library's message: av_strerror.
struct FFmpegError: Error, CustomStringConvertible {
    /// An AVERROR code.
    let code: Int32

    /// True if the input of the call was interrupted.
    var isInterruption: Bool { code == shim_error_exit }

    var description: String {
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, unsafe av_strerror(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return unsafe String(cString: base)
        }
    }

    /// - Returns: a success code.
    @discardableResult
    static func check(_ code: Int32) throws(FFmpegError) -> Int32 {
        guard code >= 0 else { throw FFmpegError(code: code) }
        return code
    }
}

/// Process-wide settings of the libraries.
enum FFmpegLibrary {
    /// Loads the time zone, which decoding would read from the file system. Disables messages on stderr.
    static func prepareForSandbox() {
        // A zone without a file; times in tags are not shown.
        unsafe setenv("TZ", "UTC0", 1)
        tzset()
        av_log_set_level(AV_LOG_QUIET)
    }
}
