internal import Glibc
internal import PodcastModel

/// The reference that begins with an ampersand.
enum Reference {
    /// Valid in XML.
    case valid(length: Int)
    case replaced(length: Int, Unicode.Scalar, isHTMLName: Bool)
    case meaningless(length: Int)
    /// An ampersand that does not begin a reference.
    case bare
    /// May continue after the end of the block.
    case incomplete
}

struct HTMLReference {
    /// The character that the reference stands for; empty for an invalid character.
    let text: String
    /// In bytes.
    let length: Int

    /// Reads the reference at the beginning of a text; nil if the text does not begin with one.
    init?(in text: UnsafeRawBufferPointer) {
        guard let place = text.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        var scalars = String.UnicodeScalarView()
        switch readReference(place, place + text.count, isLast: true) {
        case .bare, .incomplete: return nil
        case .meaningless(let length):
            guard place[length - 1] == .semicolon else { return nil }
            self.length = length
        case .replaced(let length, let scalar, _):
            self.length = length
            scalars.append(scalar)
        case .valid(let length):
            self.length = length
            let number = digits(place, place + length)?.value
            let scalar = number.map { Unicode.Scalar($0) } ?? htmlEntity(place + 1, length - 2)
            scalars.append(scalar ?? "\u{FFFD}")
        }
        self.text = String(scalars)
    }
}

/// No name of an entity is longer; numbers with more digits are invalid.
private let longestReference = 40

/// Parses a reference at an ampersand: XML 1.0 section 4.1, and HTML's names.
/// - Parameter isLast: true if the document ends at `end`.
func readReference(_ place: Bytes, _ end: Bytes, isLast: Bool) -> Reference {
    var next = place + 1
    guard next < end else { return isLast ? .bare : .incomplete }
    if next.pointee == .hash { return readNumber(place, end, isLast: isLast) }
    while next < end, next.pointee.isLetter || next.pointee.isDigit {
        next += 1
        if next - place > longestReference { return .bare }
    }
    guard next < end else { return isLast ? .bare : .incomplete }
    let length = next - place - 1
    guard next.pointee == .semicolon, length > 0 else { return .bare }
    if isPredefined(place + 1, length) { return .valid(length: length + 2) }
    guard let scalar = htmlEntity(place + 1, length) else { return .bare }
    return .replaced(length: length + 2, scalar, isHTMLName: true)
}

private func isPredefined(_ name: Bytes, _ length: Int) -> Bool {
    switch length {
    case 2: memcmp(name, "lt", 2) == 0 || memcmp(name, "gt", 2) == 0
    case 3: memcmp(name, "amp", 3) == 0
    case 4: memcmp(name, "quot", 4) == 0 || memcmp(name, "apos", 4) == 0
    default: false
    }
}

private func readNumber(_ place: Bytes, _ end: Bytes, isLast: Bool) -> Reference {
    guard let (value, length, isTerminated) = digits(place, end) else {
        return !isLast && end - place < 4 ? .incomplete : .bare
    }
    guard place + length < end || isLast || isTerminated else { return .incomplete }
    if value &- 0xD800 < 0x400 {
        // Half of a surrogate pair, written by programs that use UTF-16; a character only if the other half follows.
        guard let (low, lowLength, isEnded) = digits(place + length, end), low &- 0xDC00 < 0x400,
            isEnded || isLast || place + length + lowLength < end
        else { return !isLast && end - place < length + 12 ? .incomplete : .meaningless(length: length) }
        let scalar = Unicode.Scalar(0x10000 + (value - 0xD800) << 10 + (low - 0xDC00))!
        return .replaced(length: length + lowLength, scalar, isHTMLName: false)
    }
    if (0x80..<0xA0).contains(value) {
        let scalar = Windows1252.scalar(of: UInt8(value))
        return .replaced(length: length, scalar, isHTMLName: false)
    }
    guard let scalar = Unicode.Scalar(value), scalar.isXMLCharacter else { return .meaningless(length: length) }
    // HTML allows a capital X, XML does not.
    return isTerminated && place[2] != UInt8(ascii: "X")
        ? .valid(length: length) : .replaced(length: length, scalar, isHTMLName: false)
}

private func digits(_ place: Bytes, _ end: Bytes) -> (value: UInt32, length: Int, isTerminated: Bool)? {
    guard end - place >= 3, place[0] == .ampersand, place[1] == .hash else { return nil }
    let isHex = place[2] | 0x20 == UInt8(ascii: "x")
    let start = place + (isHex ? 3 : 2)
    var next = start
    var value: UInt32 = 0
    while next < end, next - place < longestReference {
        let byte = next.pointee
        let digit: UInt32
        if byte.isDigit {
            digit = UInt32(byte.digitValue)
        } else if isHex, (byte | 0x20) &- UInt8(ascii: "a") < 6 {
            digit = UInt32((byte | 0x20) - UInt8(ascii: "a") + 10)
        } else {
            break
        }
        // A number above U+10FFFF stays above it.
        value = min(value * (isHex ? 16 : 10) + digit, 0x20_0000)
        next += 1
    }
    guard next > start else { return nil }
    let isTerminated = next < end && next.pointee == .semicolon
    return (value, next - place + (isTerminated ? 1 : 0), isTerminated)
}

/// The character of an HTML entity.
func htmlEntity(_ name: Bytes, _ length: Int) -> Unicode.Scalar? {
    htmlEntities[String(utf8: UnsafeBufferPointer(start: name, count: length))]
}

private let htmlEntities = Dictionary(
    uniqueKeysWithValues: htmlEntityNames.utf8.split(whereSeparator: \.isBlank).map { entry in
        let parts = entry.split(separator: .equals).map { Substring($0) }
        return (String(parts[0]), UInt32(parts[1], radix: 16).flatMap(Unicode.Scalar.init)!)
    })
