internal import PodcastModel
internal import SystemCalls
internal import Terminal

/// Finds out how the terminal takes pictures.
enum TerminalGraphics {
    /// The choice in the configuration.
    enum Choice: String, CaseIterable {
        case automatic = "auto"
        case off, kitty, sixel
    }

    /// How long a terminal has for its answer. All that are in use answer at once.
    private static let timeout = Duration.seconds(1)

    /// - Parameter screen: in full-screen mode, so that an answer is neither shown nor waits for a line feed.
    static func find(_ choice: Choice, _ screen: CursesScreen) -> GraphicsProtocol? {
        switch choice {
        case .off: nil
        case .kitty: cell(for: .kitty) == nil ? nil : .kitty
        case .sixel: cell(for: .sixel) == nil ? nil : .sixel
        case .automatic:
            GraphicsProtocol.named(byEnvironment: CurrentProcess.variable) ?? (drawsSixels(screen) ? .sixel : nil)
        }
    }

    /// Nil if pictures cannot be shown because the terminal does not say how large its cells are.
    static func cell(for graphics: GraphicsProtocol) -> CellSize? {
        if let cell = TerminalText.cell(of: 1) { return CellSize(width: cell.width, height: cell.height) }
        return graphics.needsCellSize ? nil : .usual
    }

    /// Asks the terminal. One that does not say how large its cells are is not asked, because sixels would not fit.
    private static func drawsSixels(_ screen: CursesScreen) -> Bool {
        guard cell(for: .sixel) != nil else { return false }
        screen.send(AttributeAnswer.question, line: 0, column: 0)
        var answer = AttributeAnswer()
        let deadline = Instant.now + timeout
        while answer.attributes == nil, waitForDescriptors(readable: 0, until: deadline),
            let bytes = try? TerminalInput.read(upTo: 256), !bytes.isEmpty
        {
            answer.receive(bytes)
        }
        screen.giveBack(answer.typed)
        return answer.hasSixels
    }
}

/// Finds a terminal's answer with its primary device attributes (DA1) among the keys that were typed meanwhile.
struct AttributeAnswer: Equatable, Sendable {
    /// The question for the attributes.
    static let question = Array("\u{1B}[c".utf8)
    /// The attribute of terminals that draw sixels.
    private static let sixels = 4
    private static let start = Array("\u{1B}[?".utf8)

    /// Nil until the answer has come.
    private(set) var attributes: [Int]?
    /// Bytes that are not part of the answer.
    private(set) var typed: [UInt8] = []

    var hasSixels: Bool { attributes?.dropFirst().contains(Self.sixels) ?? false }

    mutating func receive(_ bytes: [UInt8]) {
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
