internal import CMPG123

/// A failed call of libmpg123, with the library's message.
public struct MPEGAudioError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `enum mpg123_errors`.
    let code: Int32
    /// The library's message: mpg123_plain_strerror(3).
    public var description: String { unsafe String(cString: mpg123_plain_strerror(code)) }

    init(code: Int32) { self.code = code }
}
