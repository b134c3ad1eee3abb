internal import Glibc
internal import PodcastModel

extension String {
    /// The visible ASCII characters: untrusted names may be shown on a terminal.
    var visibleASCII: String { String(utf8: utf8.filter { 0x21...0x7E ~= $0 }) }
}

extension UnsafeRawBufferPointer {
    /// The first place of a byte at or after a place: memchr(3).
    func place(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count, let found = memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return UnsafeRawPointer(found) - base
    }
}

extension BidirectionalCollection<UInt8> {
    /// The bytes without spaces and control characters at either end.
    var trimmed: SubSequence {
        let start = drop { $0 <= 0x20 }
        return start.lastIndex { $0 > 0x20 }.map { start[...$0] } ?? start[start.startIndex..<start.startIndex]
    }
}

extension UInt8 {
    /// A visible ASCII character that stays unchanged in a URL.
    var isPlainInURL: Bool { self &- 0x21 < 0x7F - 0x21 && self != .quote && self | 2 != .greater }
}
