/// How a terminal takes pictures.
public enum GraphicsProtocol: String, Sendable, CaseIterable {
    case kitty
    case sixel

    /// Shows a picture in cells from the cursor on.
    public func show(_ picture: PixelPicture, columns: Int, lines: Int) -> [UInt8] {
        switch self {
        case .kitty: KittyGraphics.show(picture, columns: columns, lines: lines)
        case .sixel: SixelGraphics.show(picture)
        }
    }

    /// Removes the picture; nil if the cells must be drawn again instead.
    public var hide: [UInt8]? {
        switch self {
        case .kitty: KittyGraphics.hide
        case .sixel: nil
        }
    }

    /// Whether pictures are measured in pixels, so that the size of a cell must be known.
    public var needsCellSize: Bool { self == .sixel }

    /// The protocol of the terminal according to the environment; nil if the environment does not name a known terminal.
    public static func named(byEnvironment variable: (String) -> String?) -> GraphicsProtocol? {
        let kind = variable("TERM") ?? ""
        // A multiplexer passes on the variables of the surrounding terminal, but not pictures.
        if kind.hasPrefix("tmux") || kind.hasPrefix("screen") { return nil }
        if variable("KITTY_WINDOW_ID") != nil || ["xterm-kitty", "xterm-ghostty"].contains(kind) { return .kitty }
        return ["ghostty", "WezTerm"].contains(variable("TERM_PROGRAM") ?? "") ? .kitty : nil
    }
}

/// Pixels of a character cell.
public struct CellSize: Equatable, Sendable {
    public let width: Int
    public let height: Int

    /// The typical ratio of a cell's width to its height.
    public static let usual = CellSize(width: 8, height: 16)

    public init(width: Int, height: Int) { (self.width, self.height) = (max(1, width), max(1, height)) }
}
