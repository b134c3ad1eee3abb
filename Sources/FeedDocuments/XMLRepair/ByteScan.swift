internal import Glibc
internal import PodcastModel

// Most of the filter's work is to find the next relevant byte, so it compares sixteen at a time. The results are masks
// with a set high bit in each matching lane; two words of eight lanes give the index of the first match.

typealias Bytes = UnsafePointer<UInt8>

extension UInt8 {
    /// White space: XML 1.0 section 2.3.
    var isBlank: Bool { self == .space || self == .newline || self == .tab || self == .carriageReturn }

    /// A control character below U+0020 that XML 1.0 section 2.2 forbids.
    var isForbiddenControl: Bool { self < 0x20 && self != .tab && self != .newline && self != .carriageReturn }

    /// An ASCII byte that is valid in a name after the first character: section 2.3.
    var isNameByte: Bool {
        let low: UInt64 = 0x07FF_6000_0000_0000
        let high: UInt64 = 0x07FF_FFFE_87FF_FFFE
        return self < 0x80 && ((self < 64 ? low : high) &>> UInt64(self & 63)) & 1 != 0
    }

    var isNameStart: Bool { isLetter || self == .underscore || self == .colon }
}

/// A high bit in each lane that equals a byte: only there does subtracting one from the difference borrow.
///
/// Arithmetic compiles to single instructions; the standard library compares lane by lane.
@inline(__always)
private func equal(_ bytes: SIMD16<UInt8>, _ byte: UInt8) -> SIMD16<UInt8> {
    let difference = bytes ^ SIMD16(repeating: byte)
    return (difference &- SIMD16(repeating: 1)) & ~difference
}

@inline(__always)
private func firstLane(_ hits: SIMD16<UInt8>) -> Int? {
    let words = unsafeBitCast(hits & SIMD16(repeating: 0x80), to: SIMD2<UInt64>.self)
    if words[0] | words[1] == 0 { return nil }
    return words[0] != 0 ? words[0].trailingZeroBitCount &>> 3 : 8 &+ words[1].trailingZeroBitCount &>> 3
}

/// Finds the first hit. Tabs and line feeds are not hits, even if `hits` contains them.
@inline(__always)
private func scan(_ start: Bytes, _ end: Bytes, hits: (SIMD16<UInt8>) -> SIMD16<UInt8>) -> Bytes {
    var place = start
    while end - place >= 16 {
        let bytes = UnsafeRawPointer(place).loadUnaligned(as: SIMD16<UInt8>.self)
        guard let lane = firstLane(hits(bytes)) else {
            place += 16
            continue
        }
        place += lane
        if place.pointee &- 9 >= 2 { return place }
        place += 1
    }
    while place < end, place.pointee &- 9 < 2 || firstLane(hits(SIMD16(repeating: place.pointee))) == nil { place += 1 }
    return place
}

/// The next byte of text that is markup, a reference, part of `]]>`, a control or not ASCII.
@inline(__always)
func nextInText(_ start: Bytes, _ end: Bytes) -> Bytes {
    scan(start, end) { bytes in
        bytes | below(bytes, 0x20) | equal(bytes, .less) | equal(bytes, .ampersand) | equal(bytes, .closingBracket)
    }
}

/// The next byte of a CDATA section that may end it, is a control or not ASCII.
@inline(__always)
func nextInCDATA(_ start: Bytes, _ end: Bytes) -> Bytes {
    scan(start, end) { bytes in bytes | below(bytes, 0x20) | equal(bytes, .closingBracket) }
}

/// The next byte of an attribute's value that ends it, is markup, a reference, a control or not ASCII.
@inline(__always)
func nextInValue(_ start: Bytes, _ end: Bytes, quote: UInt8) -> Bytes {
    scan(start, end) { bytes in
        bytes | below(bytes, 0x20) | equal(bytes, .less) | equal(bytes, .ampersand) | equal(bytes, quote)
    }
}

/// The end of a name of ASCII bytes with at most one colon.
@inline(__always)
func nextBeyondName(_ start: Bytes, _ end: Bytes) -> Bytes {
    let place = scanName(start, end)
    return place < end && place.pointee == .colon ? scanName(place + 1, end) : place
}

/// A high bit in each lane below a limit of at most 128.
@inline(__always)
private func below(_ bytes: SIMD16<UInt8>, _ limit: UInt8) -> SIMD16<UInt8> {
    (bytes &- SIMD16(repeating: limit)) & ~bytes
}

/// The end of a name of ASCII bytes without a colon.
@inline(__always)
private func scanName(_ start: Bytes, _ end: Bytes) -> Bytes {
    var place = start
    while end - place >= 16 {
        let bytes = UnsafeRawPointer(place).loadUnaligned(as: SIMD16<UInt8>.self)
        // Below 26 letters from "a", ten digits from "0", two signs from "-", or an underscore.
        let letters = (bytes | SIMD16(repeating: 0x20)) &- SIMD16(repeating: UInt8(ascii: "a"))
        let digits = bytes &- SIMD16(repeating: UInt8(ascii: "0"))
        let dashes = bytes &- SIMD16(repeating: .dash)
        let names = below(letters, 26) | below(digits, 10) | below(dashes, 2) | equal(bytes, .underscore)
        if let lane = firstLane(~names) { return place + lane }
        place += 16
    }
    while place < end, place.pointee.isNameByte, place.pointee != .colon { place += 1 }
    return place
}

func nextBeyondASCII(_ start: Bytes, _ end: Bytes) -> Bytes { scan(start, end) { $0 } }

/// The first place of a byte: memchr(3).
func find(_ byte: UInt8, _ start: Bytes, _ end: Bytes) -> Bytes? {
    memchr(start, Int32(byte), end - start).map { Bytes($0.assumingMemoryBound(to: UInt8.self)) }
}
