/// A running digest of a feed's body, to recognize equal bodies without parsing.
///
/// 128 bits, computed from eight bytes at a time by folded multiplication. Protects only against accidental equality.
/// That suffices: only the publisher could forge a digest, and would merely hide an edition of the feed.
struct BodyDigest {
    private var high: UInt64 = 0x243F_6A88_85A3_08D3
    private var low: UInt64 = 0x1319_8A2E_0370_7344
    private var length: UInt64 = 0
    /// Bytes that do not fill a word yet, lowest first.
    private var pending: UInt64 = 0
    private var pendingCount = 0

    /// Adds the next bytes; the division into pieces does not matter.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        length &+= UInt64(bytes.count)
        var offset = 0
        while pendingCount != 0, offset < bytes.count {
            pending |= UInt64(bytes[offset]) << UInt64(8 * pendingCount)
            pendingCount = (pendingCount + 1) & 7
            offset += 1
            if pendingCount == 0 { absorb(pending) }
        }
        if pendingCount == 0 { pending = 0 }
        while bytes.count &- offset >= 8 {
            absorb(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        while offset < bytes.count {
            pending |= UInt64(bytes[offset]) << UInt64(8 * pendingCount)
            pendingCount += 1
            offset += 1
        }
    }

    /// The digest so far: 32 hexadecimal digits after a prefix for the method.
    var text: String {
        var end = self
        for word in [pending, length, end.low, end.high] { end.absorb(word) }
        return "f1-" + Self.digits(end.high) + Self.digits(end.low)
    }

    /// Words update the two halves alternately.
    @inline(__always)
    private mutating func absorb(_ word: UInt64) {
        let product = (high ^ word).multipliedFullWidth(by: 0xA409_3822_299F_31D1)
        (high, low) = (low, (product.high ^ product.low) &+ 0x4528_21E6_38D0_1377)
    }

    private static func digits(_ word: UInt64) -> String {
        let text = String(word, radix: 16)
        return String(repeating: "0", count: 16 - text.utf8.count) + text
    }
}
