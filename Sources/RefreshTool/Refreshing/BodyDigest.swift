internal import PodcastModel

/// A running digest of a feed's body: equal bodies are recognized without parsing them.
///
/// The digest guards against chance only: a publisher who forges an equal digest merely hides an edition of the feed.
struct BodyDigest {
    private var hash = StableHash()
    private var length = 0
    /// Bytes that do not fill a word yet, lowest first.
    private var pending: UInt64 = 0

    /// Adds the next bytes; the division into pieces does not matter.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset < bytes.count {
            if length & 7 == 0, bytes.count &- offset >= 8 {
                hash.mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
                offset &+= 8
                length &+= 8
                continue
            }
            pending |= UInt64(bytes[offset]) << (8 * (length & 7))
            offset &+= 1
            length &+= 1
            if length & 7 == 0 {
                hash.mix(pending)
                pending = 0
            }
        }
    }

    /// The digest of the bytes so far, with a prefix that names the method.
    var text: String {
        var end = hash
        end.mix(pending)
        end.mix(UInt64(length))
        return "s1-" + end.digits
    }
}
