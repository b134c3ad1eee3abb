internal import PodcastModel

/// A running digest of a feed's body: equal bodies are recognized without parsing them.
///
/// The digest guards against chance only. The one who could forge an equal digest is the publisher, who would merely hide an edition
/// of the feed.
struct BodyDigest {
    private var hash = StableHash()
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
            if pendingCount == 0 { hash.mix(pending) }
        }
        if pendingCount == 0 { pending = 0 }
        while bytes.count &- offset >= 8 {
            hash.mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        while offset < bytes.count {
            pending |= UInt64(bytes[offset]) << UInt64(8 * pendingCount)
            pendingCount += 1
            offset += 1
        }
    }

    /// The digest of the bytes so far, with a prefix that names the method.
    var text: String {
        var end = hash
        end.mix(pending)
        end.mix(length)
        return "s1-" + end.digits
    }
}
