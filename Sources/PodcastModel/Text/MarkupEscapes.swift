// Text of elements and quoted attributes of XML and HTML.

extension UInt8 {
    /// The reference that stands for a character of markup; nil for any other byte of UTF-8.
    @inlinable public var markupReference: StaticString? {
        switch self {
        case .ampersand: "&amp;"
        case .less: "&lt;"
        case .greater: "&gt;"
        case .quote: "&quot;"
        default: nil
        }
    }
}

extension String {
    /// The text with references for the characters of markup.
    public var escapedForMarkup: String {
        var escaped = ""
        for scalar in unicodeScalars {
            if let reference = UInt8(exactly: scalar.value)?.markupReference {
                escaped += reference.description
            } else {
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
