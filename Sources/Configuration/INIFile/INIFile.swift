/// One `name = value` line of a configuration file.
public struct INIEntry: Equatable, Sendable {
    /// Empty before the first section.
    public var section: String
    public var name: String
    public var value: String
    /// From 1.
    public var line: Int
}

/// A parsed configuration file: all entries in order, and the lines that could not be parsed.
///
/// An entry is on one line, with `=` or `:` between name and value. A value may contain any character, as shell commands do. Comments
/// are lines that begin with `#` or `;`.
public struct INIFile: Equatable, Sendable {
    /// In bytes, without the line's end.
    public static let longestContent = 4094

    public private(set) var entries: [INIEntry] = []
    /// Numbers of lines that are not a section, entry or comment, or that are too long.
    public private(set) var badLines: [Int] = []

    public init(parsing text: String) {
        var section = ""
        let bytes = text.hasPrefix("\u{FEFF}") ? text.utf8.dropFirst(3) : text.utf8[...]
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (number, written) in zip(1..., lines) {
            let line = trimmed(written)
            if written.count > Self.longestContent || written.contains(0) {
                badLines.append(number)
            } else if line.isEmpty || line.first == UInt8(ascii: "#") || line.first == UInt8(ascii: ";") {
                continue
            } else if line.first == UInt8(ascii: "[") {
                guard let end = line.firstIndex(of: UInt8(ascii: "]")) else {
                    badLines.append(number)
                    continue
                }
                section = Self.text(line[..<end].dropFirst())
            } else if let separator = line.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) {
                let value = line[separator...].dropFirst()
                entries.append(
                    INIEntry(
                        section: section, name: Self.text(trimmed(line[..<separator])),
                        value: Self.text(trimmed(value)), line: number))
            } else {
                badLines.append(number)
            }
        }
    }

    private func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var rest = line.drop(while: isBlank)
        while let last = rest.last, isBlank(last) { rest.removeLast() }
        return rest
    }

    private static func text(_ bytes: Substring.UTF8View) -> String { String(decoding: bytes, as: UTF8.self) }
}
