internal import CFFmpeg
internal import MediaPorts

/// Lets the library read an input: an AVIOContext with callbacks. An interruption makes the library's call fail with
/// `FFmpegError.isInterruption`.
@safe final class ByteReader {
    private(set) var context: UnsafeMutablePointer<AVIOContext>?
    private let input: any DecoderInput
    private var position: Int64 = 0
    /// True if a read was interrupted since `resume`.
    private(set) var wasInterrupted = false

    private static let bufferSize = 32_768

    init(_ input: any DecoderInput) throws(FFmpegError) {
        self.input = input
        let buffer = unsafe av_malloc(Self.bufferSize)
        // The callbacks get this object, which outlives the context.
        unsafe context = avio_alloc_context(
            buffer?.assumingMemoryBound(to: UInt8.self), Int32(Self.bufferSize), 0,
            Unmanaged.passUnretained(self).toOpaque(),
            { reader, buffer, count in
                guard let reader = unsafe reader, let buffer = unsafe buffer, count > 0 else { return 0 }
                let this = unsafe Unmanaged<ByteReader>.fromOpaque(reader).takeUnretainedValue()
                return unsafe this.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)))
            }, nil,
            { reader, offset, origin in
                guard let reader = unsafe reader else { return Int64(shim_error_unsupported) }
                return unsafe Unmanaged<ByteReader>.fromOpaque(reader).takeUnretainedValue().seek(offset, origin)
            })
        guard unsafe context != nil else {
            unsafe av_free(buffer)
            throw FFmpegError(code: shim_error_memory)
        }
    }

    deinit {
        guard let made = unsafe context else { return }
        // The library may have replaced the buffer.
        unsafe av_freep(&made.pointee.buffer)
        unsafe avio_context_free(&context)
    }

    /// Makes the library read again after an interruption or the end.
    func resume() {
        wasInterrupted = false
        unsafe context?.pointee.error = 0
        unsafe context?.pointee.eof_reached = 0
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
        guard let count = unsafe try? input.read(into: buffer, at: position) else {
            wasInterrupted = true
            return shim_error_exit
        }
        position += Int64(count)
        return count == 0 ? shim_error_end : Int32(count)
    }

    private func seek(_ offset: Int64, _ origin: Int32) -> Int64 {
        switch origin & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return input.length ?? Int64(shim_error_unsupported)
        case SEEK_SET: position = max(0, offset)
        case SEEK_CUR: position = max(0, position + offset)
        case SEEK_END:
            guard let length = input.length else { return Int64(shim_error_unsupported) }
            position = max(0, length + offset)
        default: return Int64(shim_error_unsupported)
        }
        return position
    }
}
