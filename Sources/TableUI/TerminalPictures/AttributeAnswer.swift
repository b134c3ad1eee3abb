/// Finds a terminal's answer with its primary device attributes (DA1) among the keys that were typed meanwhile.
public struct AttributeAnswer: Equatable, Sendable {
    /// The question for the attributes.
    public static let question = Array("\u{1B}[c".utf8)
    /// The attribute of terminals that draw sixels.
    private static let sixels = 4
    private static let start = Array("\u{1B}[?".utf8)

    /// Nil until the answer has come.
    public private(set) var attributes: [Int]?
    /// Bytes that are not part of the answer.
    public private(set) var typed: [UInt8] = []

    public init() {}

    public var hasSixels: Bool { attributes?.dropFirst().contains(Self.sixels) ?? false }

    /// Takes bytes from the terminal.
    public mutating func take(_ bytes: [UInt8]) {
        typed += bytes
        guard attributes == nil else { return }
        for place in typed.indices where typed[place...].starts(with: Self.start) {
            let rest = typed[(place + Self.start.count)...]
            guard let end = rest.firstIndex(where: { !Self.isParameter($0) }) else { return }
            guard rest[end] == UInt8(ascii: "c") else { continue }
            attributes = rest[..<end].split(separator: UInt8(ascii: ";")).compactMap {
                Int(String(decoding: $0, as: UTF8.self))
            }
            typed.removeSubrange(place...end)
            return
        }
    }

    private static func isParameter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ";")
    }
}
