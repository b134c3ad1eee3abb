internal import Glibc
internal import PodcastModel

/// An IPv4 or IPv6 address, and whether it is public.
struct InternetAddress: Equatable {
    /// 4 or 16 bytes, most significant first.
    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Parses an address with or without brackets and zone: inet_pton(3).
    init?(_ text: String) {
        var bare = text.utf8[...]
        if bare.first == .openingBracket, bare.last == .closingBracket { bare = bare.dropFirst().dropLast() }
        bare = bare.prefix { $0 != .percent }
        let address = String(utf8: bare)
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if unsafe inet_pton(family, address, &bytes) == 1 {
                self.bytes = bytes
                return
            }
        }
        return nil
    }

    /// The IPv4 address that an IPv6 address contains, or the address itself.
    var effective: InternetAddress {
        if bytes.count == 4 { return self }
        // ::ffff:0:0/96, RFC 4291; 64:ff9b::/96, RFC 6052.
        if has(prefix: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], bits: 96)
            || has(prefix: [0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96)
        {
            return InternetAddress(v4: bytes[12...])
        }
        // 2002::/16, RFC 3056.
        return has(prefix: [0x20, 0x02], bits: 16) ? InternetAddress(v4: bytes[2..<6]) : self
    }

    private init(v4 bytes: ArraySlice<UInt8>) { self.bytes = Array(bytes) }

    /// True for a public address: not of this machine, its network or a carrier's internal network (RFC 6598), and not
    /// reserved. An IPv6 address that contains an IPv4 address is judged by the latter. The registries are IANA's
    /// special-purpose address registries (RFC 6890); Azure's platform address, which serves each virtual machine its
    /// own secrets, is in none of them.
    var isPublic: Bool {
        if bytes.count == 4 { return Self.isPublic(v4: bytes) }
        let effective = effective
        if effective.bytes.count == 4 { return effective.isPublic }
        // Global unicast, except protocols (2001::/23, including Teredo) and documentation.
        return has(prefix: [0x20], bits: 3) && !has(prefix: [0x20, 0x01, 0x00], bits: 23)
            && !has(prefix: [0x20, 0x01, 0x0D, 0xB8], bits: 32) && !has(prefix: [0x3F, 0xFF, 0x00], bits: 20)
    }

    private static let reserved: [(prefix: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0A00_0000, 8), (0x6440_0000, 10), (0x7F00_0000, 8), (0xA9FE_0000, 16),
        (0xA83F_8110, 32), (0xAC10_0000, 12), (0xC000_0000, 24), (0xC000_0200, 24), (0xC058_6300, 24),
        (0xC0A8_0000, 16),
        (0xC612_0000, 15), (0xC633_6400, 24), (0xCB00_7100, 24), (0xE000_0000, 3),
    ]

    private static func isPublic(v4 bytes: [UInt8]) -> Bool {
        let address = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return !reserved.contains { address >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
    }

    private func has(prefix: [UInt8], bits: Int) -> Bool {
        for index in 0..<(bits + 7) / 8 {
            let mask: UInt8 = index == bits / 8 ? ~(0xFF >> UInt8(bits % 8)) : 0xFF
            if bytes[index] & mask != prefix[index] & mask { return false }
        }
        return true
    }
}
