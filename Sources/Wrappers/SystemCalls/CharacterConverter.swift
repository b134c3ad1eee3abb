internal import CLinux
internal import Glibc

/// Converts text from one charset to UTF-8: iconv(3). One thread at a time.
public struct CharacterConverter: ~Copyable {
    /// Why a conversion stopped.
    public enum Stop: Sendable {
        case atEnd, outputFull, incomplete
        /// The next bytes are invalid in the charset.
        case invalid
    }

    // Opened by init, closed by deinit, and never handed out.
    private let handle: UInt

    /// Nil if the C library does not know the charset.
    public init?(from charset: String) {
        let handle = unsafe iconv_open("UTF-8", charset)
        // iconv_open(3) fails with (iconv_t) -1.
        guard let handle = unsafe handle, unsafe handle != iconv_t(bitPattern: -1) else { return nil }
        self.handle = UInt(bitPattern: handle)
    }

    deinit { unsafe iconv_close(iconv_t(bitPattern: handle)) }

    /// Converts as much of the input as possible. Returns bytes read and written, and the reason for stopping.
    public func convert(
        _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
    ) -> (read: Int, written: Int, stop: Stop) {
        // iconv(3) has a pointer to mutable bytes for historical reasons and does not change them.
        var next = unsafe UnsafeMutableRawPointer(mutating: input.baseAddress)?.assumingMemoryBound(to: CChar.self)
        var target = unsafe output.baseAddress?.assumingMemoryBound(to: CChar.self)
        var left = input.count
        var room = output.count
        let result = unsafe iconv(iconv_t(bitPattern: handle), &next, &left, &target, &room)
        let stop: Stop =
            if result != -1 { .atEnd } else {
                switch errno {
                case E2BIG: .outputFull
                case EINVAL: .incomplete
                default: .invalid
                }
            }
        return (input.count - left, output.count - room, stop)
    }
}
