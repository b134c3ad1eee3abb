/// A 64-bit hash that is the same in every process and version: keys and digests in the library, the digest of a feed's body, the
/// names of cached files.
///
/// The hash tells texts apart that differ by accident or by editing. It does not protect against a publisher who makes two texts
/// collide on purpose, which would harm only that publisher's feed. Eight bytes go in at a time, because a refresh
/// hashes every byte of a feed. The algorithm is part of the formats of library and cache.
public struct StableHash {
    @usableFromInline var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    @inlinable public init() {}

    @inlinable public var value: Int64 {
        var mixed = state
        mixed ^= mixed >> 32
        mixed &*= 0xD6E8_FEB8_6659_FD93
        mixed ^= mixed >> 32
        return Int64(bitPattern: mixed)
    }

    /// The hash as 16 hexadecimal digits.
    public var digits: String {
        let digits = String(UInt64(bitPattern: value), radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    @inlinable public mutating func add(_ number: Int64?) {
        guard let number else { return mix(0x6E75_6C6C) }
        mix(UInt64(bitPattern: number))
        mix(1)
    }

    /// Adds a text; nil and an empty text differ, and so do `a, bc` and `ab, c`.
    @inlinable public mutating func add(_ text: String?) {
        guard let text else { return mix(0x6E75_6C6C) }
        if text.utf8.withContiguousStorageIfAvailable({ add(bytes: UnsafeRawBufferPointer($0)) }) == nil {
            var copy = text
            copy.withUTF8 { add(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    /// Adds bytes with their count.
    @inlinable public mutating func add(bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset &+ 8 <= bytes.count {
            mix(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset &+= 8
        }
        var tail: UInt64 = 0
        while offset < bytes.count {
            tail = tail << 8 | UInt64(bytes[offset])
            offset &+= 1
        }
        mix(tail)
        mix(UInt64(bytes.count))
    }

    /// Adds eight bytes, without their count.
    @inlinable public mutating func mix(_ word: UInt64) {
        state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 33
    }
}
