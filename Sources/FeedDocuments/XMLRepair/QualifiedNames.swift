internal import Glibc
internal import PodcastModel

// Namespaces in XML 1.0, section 4: a name has at most one colon, with a name on either side. XML itself allows colons
// anywhere; libxml2 accepts some of these names and stops at others.

/// A name of ASCII bytes.
struct NameScan {
    /// The first byte that is not valid in names, or the end of the block.
    let end: Bytes
    /// True if there is at most one colon, with ASCII names on either side.
    let isQualified: Bool

    /// Fast for names without a colon, which most are.
    @inline(__always)
    init(_ start: Bytes, _ limit: Bytes) {
        let place = nextBeyondLocalName(start, limit)
        guard place < limit, place.pointee == .colon else {
            end = place
            isQualified = true
            return
        }
        (end, isQualified) = Self.behindColon(place, start, limit)
    }

    @inline(__always)
    private static func behindColon(_ colon: Bytes, _ start: Bytes, _ limit: Bytes) -> (Bytes, isQualified: Bool) {
        let local = colon + 1
        let end = nextBeyondLocalName(local, limit)
        if end < limit, end.pointee == .colon { return (nextBeyondName(end, limit), false) }
        return (end, colon > start && end > local && local.pointee.isNameStart)
    }
}

/// True for `xmlns` and `xmlns:prefix`.
func declaresNamespace(_ name: Bytes, _ nameEnd: Bytes) -> Bool {
    nameEnd - name >= 5 && memcmp(name, "xmlns", 5) == 0 && (nameEnd - name == 5 || name[5] == .colon)
}

/// The colon between a prefix and a name; nil if the first colon does not separate them, as in `:a`, `a:` and `a:1`.
func prefixColon(_ name: Bytes, _ nameEnd: Bytes) -> Bytes? {
    var place = name
    while place < nameEnd, place.pointee != .colon { place += 1 }
    guard place > name, place + 1 < nameEnd else { return nil }
    let next = place[1]
    if next < 0x80 { return next.isNameStart && next != .colon ? place : nil }
    switch decodeCharacter(place + 1, nameEnd) {
    case .valid(let scalar, _): return scalar.isNameStartBeyondASCII ? place : nil
    case .forbidden, .invalid, .incomplete: return nil
    }
}

extension ByteBuffer {
    /// Appends a name, with underscores for colons that do not separate a prefix from a name.
    /// - Returns: true if there were any.
    mutating func append(repairedName name: Bytes, _ nameEnd: Bytes) -> Bool {
        let colon = prefixColon(name, nameEnd)
        var isRepaired = false
        for place in name..<nameEnd {
            let isStray = place.pointee == .colon && place != colon
            append(isStray ? .underscore : place.pointee)
            isRepaired = isRepaired || isStray
        }
        return isRepaired
    }
}
