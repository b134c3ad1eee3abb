internal import CMPG123

/// A call of libmpg123 that failed, in the library's own words.
public struct MPEGAudioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The library's number, `enum mpg123_errors`.
    public let code: Int32
    /// The library's message: mpg123_plain_strerror(3).
    public var description: String { unsafe String(cString: mpg123_plain_strerror(code)) }

    init(code: Int32) { self.code = code }
}
