internal import Glibc

/// Removes characters that HTML forbids, because libxml2 drops some of them and ends a text or a tag at others.
enum TextWithoutControls {
    /// A copy without forbidden characters; nil if there are none. Form feeds and vertical tabs become spaces.
    static func copy(of text: UnsafeRawBufferPointer) -> [UInt8]? {
        if unsafe isClean(text) { return nil }
        var copy: [UInt8] = []
        copy.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let byte = unsafe text[place]
            if byte == 0x0B || byte == 0x0C {
                copy.append(0x20)
            } else if unsafe !isForbidden(at: place, in: text) {
                copy.append(byte)
            } else if byte == 0xEF {
                place += 2
            }
            place += 1
        }
        return copy
    }

    private static func isClean(_ text: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 16 <= text.count {
            // A high bit in each lane with a control character except line feeds, or with the first byte of U+FFFE.
            let bytes = unsafe text.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            let controls = (bytes &- SIMD16(repeating: 0x20)) & ~bytes & ~lanes(of: bytes, with: 0x0A)
            let suspects = controls | lanes(of: bytes, with: 0x7F) | lanes(of: bytes, with: 0xEF)
            let words = unsafe unsafeBitCast(suspects & SIMD16(repeating: 0x80), to: SIMD2<UInt64>.self)
            for half in 0..<2 {
                var lanes = words[half]
                while lanes != 0 {
                    if unsafe isForbidden(at: place + half * 8 + lanes.trailingZeroBitCount / 8, in: text) {
                        return false
                    }
                    lanes &= lanes - 1
                }
            }
            place += 16
        }
        return !(place..<text.count).contains { unsafe isForbidden(at: $0, in: text) }
    }

    /// A high bit in each lane with a byte.
    @inline(__always)
    private static func lanes(of bytes: SIMD16<UInt8>, with byte: UInt8) -> SIMD16<UInt8> {
        let difference = bytes ^ SIMD16(repeating: byte)
        return (difference &- SIMD16(repeating: 1)) & ~difference
    }

    /// A control character other than white space, U+007F, U+FFFE or U+FFFF.
    private static func isForbidden(at place: Int, in text: UnsafeRawBufferPointer) -> Bool {
        switch unsafe text[place] {
        case 0x09, 0x0A, 0x0D: false
        case 0xEF: unsafe place + 2 < text.count && text[place + 1] == 0xBF && text[place + 2] >= 0xBE
        case let byte: byte < 0x20 || byte == 0x7F
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The first place of a byte at or after a place: memchr(3).
    func place(of byte: UInt8, from start: Int) -> Int? {
        guard let base = baseAddress, start < count, let found = unsafe memchr(base + start, Int32(byte), count - start)
        else { return nil }
        return unsafe UnsafeRawPointer(found) - base
    }
}
