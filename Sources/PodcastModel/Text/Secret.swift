/// Random texts that open something.
public enum Secret {
    /// Characters of a secret that people type: 96 bits.
    public static let typed = 24

    public static func make(_ count: Int = 48) -> String {
        String((0..<count).compactMap { _ in "0123456789abcdef".randomElement() })
    }
}
