/// Bytes as text in JSON: RFC 4648 section 4, with padding.
public enum Base64 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// Bytes as text.
    public static func text(of bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 3 * 4 + 4)
        var (group, count) = (UInt32(0), 0)
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            if count == 3 {
                for shift in [18, 12, 6, 0] as [UInt32] { text.append(digits[Int(group >> shift & 63)]) }
                (group, count) = (0, 0)
            }
        }
        if count > 0 {
            group <<= UInt32(24 - 8 * count)
            for place in 0..<4 {
                text.append(place <= count ? digits[Int(group >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil when it is none of this form.
    public static func bytes(of text: String) -> [UInt8]? {
        let all = text.utf8
        guard all.count % 4 == 0 else { return nil }
        let padding = all.suffix(2).count { $0 == UInt8(ascii: "=") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(all.count / 4 * 3)
        var (group, count) = (UInt32(0), 0)
        for byte in all.dropLast(padding) {
            guard let value = value(of: byte) else { return nil }
            group = group << 6 | value
            count += 1
            if count == 4 {
                for shift in [16, 8, 0] as [UInt32] { bytes.append(UInt8(truncatingIfNeeded: group >> shift)) }
                (group, count) = (0, 0)
            }
        }
        guard count == 0 ? padding == 0 : count + padding == 4 else { return nil }
        if count >= 2 { bytes.append(UInt8(truncatingIfNeeded: group >> (count == 2 ? 4 : 10))) }
        if count == 3 { bytes.append(UInt8(truncatingIfNeeded: group >> 2)) }
        return bytes
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit) - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit) + 4
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
