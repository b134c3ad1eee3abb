/// Bytes as text: RFC 4648 section 4, with padding.
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    public static func text(of bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let group = rest.prefix(3)
            rest = rest.dropFirst(3)
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(24 - 8 * group.count)
            for place in 0..<4 {
                text.append(place <= group.count ? digits[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8.equals)
            }
        }
        return String(utf8: text)
    }

    /// Nil if the text is not valid Base64 with padding.
    public static func bytes(of text: String) -> [UInt8]? {
        decode(text.utf8).flatMap { Self.text(of: $0) == text ? $0 : nil }
    }

    /// Decodes text with optional padding, spaces, and RFC 4648's URL-safe digits; nil for other characters.
    public static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for byte in text where byte > 0x20 && byte != .equals {
            guard let value = value(of: byte) else { return nil }
            pending = (pending << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                decoded.append(UInt8(truncatingIfNeeded: pending >> bits))
            }
        }
        return decoded
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
        case .plus, .dash: 62
        case .slash, .underscore: 63
        default: nil
        }
    }
}
