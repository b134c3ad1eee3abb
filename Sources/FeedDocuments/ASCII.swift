internal import Glibc

extension UInt8 {
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
}

extension String {
    /// The visible ASCII characters: untrusted names may be shown on a terminal.
    var visibleASCII: String { String(decoding: utf8.filter { 0x21...0x7E ~= $0 }, as: UTF8.self) }
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

extension Sequence<UInt8> {
    /// The bytes, percent-encoded if `isEncoded` is true: RFC 3986 section 2.1.
    func percentEncoded(where isEncoded: (UInt8) -> Bool) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var encoded: [UInt8] = []
        for byte in self {
            if isEncoded(byte) {
                encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                encoded.append(byte)
            }
        }
        return encoded
    }
}
