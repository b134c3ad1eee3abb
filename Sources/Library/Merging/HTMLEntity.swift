/// The character references that publishers escape twice, so that they are still there in a title.
enum HTMLEntity {
    /// Scalars a reference may have between `&` and `;`.
    private static let lengthLimit = 10

    /// The character a reference at `start` stands for, and where the reference ends; nil when there is none.
    static func decode(
        _ scalars: String.UnicodeScalarView, at start: String.UnicodeScalarView.Index
    ) -> (Unicode.Scalar, String.UnicodeScalarView.Index)? {
        let begin = scalars.index(after: start)
        guard let end = scalars[begin...].prefix(lengthLimit + 1).firstIndex(of: ";"), end > begin else { return nil }
        let name = String(scalars[begin..<end])
        guard let scalar = name.hasPrefix("#") ? numeric(name.dropFirst()) : named[name] else { return nil }
        return (scalar, scalars.index(after: end))
    }

    private static func numeric(_ digits: Substring) -> Unicode.Scalar? {
        let isHexadecimal = digits.hasPrefix("x") || digits.hasPrefix("X")
        let value = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return value.flatMap(Unicode.Scalar.init)
    }

    /// Names met in titles; what is not here stays as it was written.
    private static let named: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": " ", "shy": "\u{AD}",
        "ndash": "–", "mdash": "—", "hellip": "…", "bull": "•", "middot": "·", "laquo": "«", "raquo": "»",
        "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”", "bdquo": "„", "lsaquo": "‹",
        "rsaquo": "›", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "euro": "€", "pound": "£", "yen": "¥",
        "cent": "¢", "sect": "§", "para": "¶", "times": "×", "frac12": "½", "iexcl": "¡", "iquest": "¿",
        "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
        "agrave": "à", "aacute": "á", "acirc": "â", "atilde": "ã", "aring": "å", "aelig": "æ", "ccedil": "ç",
        "egrave": "è", "eacute": "é", "ecirc": "ê", "euml": "ë", "igrave": "ì", "iacute": "í", "icirc": "î",
        "iuml": "ï", "ntilde": "ñ", "ograve": "ò", "oacute": "ó", "ocirc": "ô", "otilde": "õ", "oslash": "ø",
        "ugrave": "ù", "uacute": "ú", "ucirc": "û", "yacute": "ý", "Agrave": "À", "Aacute": "Á", "Acirc": "Â",
        "Atilde": "Ã", "Aring": "Å", "AElig": "Æ", "Ccedil": "Ç", "Egrave": "È", "Eacute": "É", "Ecirc": "Ê",
        "Euml": "Ë", "Iacute": "Í", "Ntilde": "Ñ", "Oacute": "Ó", "Ocirc": "Ô", "Otilde": "Õ", "Oslash": "Ø",
        "Uacute": "Ú", "Ucirc": "Û",
    ]
}
