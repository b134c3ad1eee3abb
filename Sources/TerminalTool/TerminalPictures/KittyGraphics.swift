internal import PodcastModel

/// Pixels of a character cell.
struct CellSize: Equatable {
    let width: Int
    let height: Int

    /// The typical ratio of a cell's width to its height.
    static let usual = CellSize(width: 8, height: 16)

    init(width: Int, height: Int) {
        self.width = max(1, width)
        self.height = max(1, height)
    }
}

/// Pixels of red, green and blue.
struct PixelPicture: Equatable {
    let width: Int
    let height: Int
    /// Three bytes for each pixel, line after line.
    let bytes: [UInt8]

    /// Maximum number of pixels of a side.
    private static let longestSide = 1024

    /// Reads a raw pixmap of 8 bits as in ppm(5), without comments. Returns nil for other bytes, or if a side is too long.
    init?(pixmap: [UInt8]) {
        let head = pixmap.prefix(20).split(maxSplits: 4, omittingEmptySubsequences: false) {
            $0 == .newline || $0 == .space
        }
        let words = head.prefix(4).map { String(utf8: $0) }
        guard head.count == 5, words[0] == "P6", words[3] == "255", let width = Int(words[1]),
            let height = Int(words[2]), (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height)
        else { return nil }
        let pixels = pixmap[head[4].startIndex...]
        guard pixels.count == 3 * width * height else { return nil }
        self.width = width
        self.height = height
        bytes = Array(pixels)
    }
}

/// https://sw.kovidgoyal.net/kitty/graphics-protocol: pictures are above the cells, and text does not clear the pictures.
enum KittyGraphics {
    enum Choice: String, CaseIterable {
        case automatic = "auto"
        case off, kitty
    }

    /// Whether the terminal shows pictures: as chosen, else if the environment names a terminal that does.
    static func isUsed(_ choice: Choice, _ variable: (String) -> String?) -> Bool {
        if choice != .automatic { return choice == .kitty }
        let kind = variable("TERM") ?? ""
        // A multiplexer passes on the variables of the surrounding terminal, but not pictures.
        if kind.hasPrefix("tmux") || kind.hasPrefix("screen") { return false }
        return variable("KITTY_WINDOW_ID") != nil || ["xterm-kitty", "xterm-ghostty"].contains(kind)
            || ["ghostty", "WezTerm"].contains(variable("TERM_PROGRAM") ?? "")
    }

    /// The number of the only picture that this program shows; pictures of other programs stay.
    private static let identifier = 0x706F64
    /// Bytes of pixels in a command: 4,096 as Base64, the most that the protocol allows.
    private static let chunkLength = 3_072

    /// Transmits pixels and shows the picture from the cursor on. The cursor does not move, and the terminal sends no answer.
    static func show(_ picture: PixelPicture, columns: Int, lines: Int) -> [UInt8] {
        var commands: [UInt8] = []
        for start in stride(from: 0, to: picture.bytes.count, by: chunkLength) {
            let chunk = picture.bytes[start...].prefix(chunkLength)
            let more = "m=\(chunk.endIndex < picture.bytes.count ? 1 : 0)"
            let keys =
                start > 0
                ? "q=2,\(more)"
                : "a=T,f=24,s=\(picture.width),v=\(picture.height),i=\(identifier),p=1,c=\(columns),r=\(lines),C=1,q=2,\(more)"
            commands += command(keys, Base64.text(of: chunk))
        }
        return commands
    }

    /// Removes the picture and frees its pixels.
    static var hide: [UInt8] { command("a=d,d=I,i=\(identifier),q=2", "") }

    private static func command(_ keys: String, _ payload: String) -> [UInt8] {
        Array("\u{1B}_G\(keys);\(payload)\u{1B}\\".utf8)
    }
}
