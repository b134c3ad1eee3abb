internal import CMPG123

/// Text of ID3v2 frames.
enum TagText {
    /// Converts text to UTF-8 from an ID3v2 encoding (ID3v2.4 structure, section 4: 0 Latin-1, 1 UTF-16 with byte order
    /// mark, 2 UTF-16 big endian, 3 UTF-8): mpg123_store_utf8(3).
    /// - Parameter bytes: one string without its terminator.
    /// - Returns: nil for an unknown encoding or invalid text.
    static func decode(_ bytes: ArraySlice<UInt8>, encoding: UInt8) -> String? {
        guard encoding <= 3 else { return nil }
        if bytes.isEmpty { return "" }
        var text = unsafe mpg123_string()
        unsafe mpg123_init_string(&text)
        defer { unsafe mpg123_free_string(&text) }
        let converted = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe mpg123_store_utf8_2(&text, mpg123_enc_from_id3_2(encoding), bytes.baseAddress, bytes.count)
        }
        guard converted > 0, let start = unsafe text.p else { return nil }
        return unsafe String(cString: start)
    }
}
