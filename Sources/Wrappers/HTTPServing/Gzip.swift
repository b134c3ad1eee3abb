internal import CZlib

/// The content coding `gzip`: RFC 1952, RFC 9110 section 8.4.1.3.
public enum Gzip {
    private static let library = unsafe shim_load_zlib_functions()?.pointee

    /// Compresses as far as zlib can: some milliseconds for 100 KB. Nil without zlib.
    public static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard var library, bytes.count < UInt32.max else { return nil }
        var stream = unsafe z_stream()
        guard unsafe shim_begin(&library, &stream) == Z_OK else { return nil }
        defer { _ = unsafe library.deflateEnd(&stream) }
        var input = bytes
        let room = Int(unsafe library.deflateBound(&stream, UInt(bytes.count)))
        let compressed = unsafe [UInt8](unsafeUninitializedCapacity: room) { output, count in
            let status = unsafe input.withUnsafeMutableBufferPointer { input in
                unsafe stream.next_in = input.baseAddress
                unsafe stream.avail_in = UInt32(input.count)
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(output.count)
                return unsafe library.deflate(&stream, Z_FINISH)
            }
            count = unsafe status == Z_STREAM_END ? Int(stream.total_out) : 0
        }
        return compressed.isEmpty ? nil : compressed
    }
}
