/// The freshness of a response according to `Cache-Control`.
enum CacheControl {
    /// Seconds of `max-age`, RFC 9111 section 5.2.2.1; nil if invalid, or if the response must be revalidated anyway.
    static func maxAge(_ field: String) -> Int64? {
        var age: Int64?
        for part in field.utf8.split(separator: UInt8(ascii: ",")) {
            let directive = String(decoding: part.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self).lowercased()
            if directive.hasPrefix("no-cache") || directive.hasPrefix("no-store") { return nil }
            guard directive.hasPrefix("max-age=") else { continue }
            let digits = directive.utf8.dropFirst(8).drop { $0 == UInt8(ascii: "\"") }
                .prefix { (0x30...0x39).contains($0) }
            // Beyond 64 bits counts as the maximum: RFC 9111 section 1.2.2.
            if !digits.isEmpty { age = Int64(String(decoding: digits, as: UTF8.self)) ?? .max }
        }
        return age
    }
}
