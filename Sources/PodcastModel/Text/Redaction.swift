/// Removes secrets from the URLs in a text: private feeds have passwords before the `@` and tokens after the `?`.
///
/// `https://me:secret@host/feed?token=1` becomes `https://…@host/feed?…`. Other text is unchanged.
public func redactingAddresses(in text: String) -> String {
    let mark = "://".unicodeScalars
    var rest = Substring.UnicodeScalarView(text.unicodeScalars)
    var result = String.UnicodeScalarView()
    while let start = rest.indices.first(where: { rest[$0...].starts(with: mark) }) {
        let address = rest.index(start, offsetBy: mark.count)
        result += rest[..<address]
        rest = rest[address...]
        let end = rest.firstIndex(where: endsAddress) ?? rest.endIndex
        result += redacted(rest[..<end])
        rest = rest[end...]
    }
    return String(result + rest)
}

/// Redacts the part of a URL after `://`.
private func redacted(_ address: Substring.UnicodeScalarView) -> String.UnicodeScalarView {
    let authorityEnd = address.firstIndex { "/?#".unicodeScalars.contains($0) } ?? address.endIndex
    var result = String.UnicodeScalarView()
    if let at = address[..<authorityEnd].lastIndex(of: "@") {
        result += "…".unicodeScalars
        result += address[at..<authorityEnd]
    } else {
        result += address[..<authorityEnd]
    }
    let pathEnd = address[authorityEnd...].firstIndex { "?#".unicodeScalars.contains($0) } ?? address.endIndex
    result += address[authorityEnd..<pathEnd]
    if pathEnd < address.endIndex {
        result.append(address[pathEnd])
        result += "…".unicodeScalars
    }
    return result
}

private func endsAddress(_ scalar: Unicode.Scalar) -> Bool {
    // Brackets, commas and apostrophes may be part of a password.
    scalar.value <= 0x20 || "\"<>".unicodeScalars.contains(scalar)
}
