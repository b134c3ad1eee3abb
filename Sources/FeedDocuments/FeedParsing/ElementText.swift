internal import PodcastModel
internal import XMLEvents

/// The trimmed text of an element or attribute; valid only during the call that passes it.
///
/// A view instead of a string: most texts are compared, parsed as a number or ignored.
struct ElementText {
    let bytes: UnsafeBufferPointer<UInt8>

    init(_ raw: UnsafeRawBufferPointer) { bytes = raw.bindMemory(to: UInt8.self) }

    init(trimming raw: UnsafeRawBufferPointer) {
        bytes = UnsafeBufferPointer(rebasing: raw.bindMemory(to: UInt8.self).trimmed)
    }

    /// Passes the trimmed text of a string to a closure.
    static func reading<Result>(_ text: some StringProtocol, _ body: (ElementText) -> Result) -> Result {
        var text = String(text)
        return text.withUTF8 { body(ElementText(trimming: UnsafeRawBufferPointer($0))) }
    }

    init?(trimming raw: UnsafeRawBufferPointer?) {
        guard let raw else { return nil }
        self.init(trimming: raw)
    }

    /// Nil if empty.
    ///
    /// Copied without validation: libxml2 passes only valid UTF-8 in whole characters, and trimming cuts at ASCII only.
    /// Validating again would take a tenth of the time for a feed.
    var string: String? { bytes.isEmpty ? nil : String(copying: UTF8Span(unchecked: Span(_unsafeElements: bytes))) }

    /// The text in lower case, for comparisons; nil if it is empty or longer than a word.
    var word: String? {
        guard !bytes.isEmpty, bytes.count <= 64 else { return nil }
        return bytes.contains(where: \.isCapital) ? lowercased : string
    }

    /// With A to Z as a to z.
    var lowercased: String {
        String(unsafeUninitializedCapacity: bytes.count) { text in
            for place in bytes.indices { text[place] = bytes[place].lowercased }
            return bytes.count
        }
    }

    /// A number as publishers write it: digits, possibly after other characters (`S01`, `#12`) or before a fraction.
    var number: Int? {
        guard let first = bytes.firstIndex(where: \.isDigit) else { return nil }
        if first > 0, bytes[first - 1] == .dash { return nil }
        var value = 0
        for byte in bytes[first...].prefix(while: \.isDigit) {
            value = value * 10 + byte.digitValue
            if value > 1_000_000_000_000_000 { return nil }
        }
        return value
    }

    /// A flag of iTunes and others; nil for other text.
    var flag: Bool? {
        switch word {
        case "true", "yes", "explicit", "1": true
        case "false", "no", "clean", "0": false
        default: nil
        }
    }

    /// `other` must be in lower case; ignores case.
    func equals(_ other: StaticString) -> Bool {
        guard bytes.count == other.utf8CodeUnitCount else { return false }
        return hasPrefix(other)
    }

    /// `other` must be in lower case; ignores case.
    func hasPrefix(_ other: StaticString) -> Bool {
        guard bytes.count >= other.utf8CodeUnitCount else { return false }
        for index in 0..<other.utf8CodeUnitCount where bytes[index].lowercased != other.utf8Start[index] {
            return false
        }
        return true
    }
}

extension XMLAttributes {
    /// The value of an attribute without a namespace; nil if there is none.
    func text(_ name: StaticString) -> ElementText? { ElementText(trimming: value(named: name)) }
}
