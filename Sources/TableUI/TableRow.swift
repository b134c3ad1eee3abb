/// The content of a row. A table reuses one value for all visible rows.
public struct TableRow: Equatable, Sendable {
    /// How a row is laid out.
    public enum Style: UInt8, Sendable {
        /// A title, and a detail at the right.
        case plain
        /// Like `plain`, with a second line.
        case subtitle
        /// Like `subtitle`, with marks before the title and a progress bar in the second line.
        case media
        /// One line for wide screens: marks, title, dimmed subtitle, progress bar, and cells at the right.
        case columns

        public var height: Int {
            switch self {
            case .plain, .columns: 1
            case .subtitle, .media: 2
            }
        }
    }

    /// Where the file of an episode is.
    public enum Download: Equatable, Sendable {
        case none
        case waiting
        /// A share from 0 to 1.
        case underWay(Double)
        case onDisk
        case failed
    }

    /// A text at the right of a row with the style `columns`; its place is the same in each row.
    public struct Cell: Equatable, Sendable {
        var text: String
        /// Columns.
        var width: Int
        var isAtRight: Bool

        public init(_ text: String, width: Int, isAtRight: Bool = false) {
            (self.text, self.width, self.isAtRight) = (text, width, isAtRight)
        }
    }

    public var style: Style
    public var title = ""
    /// At the right of the title: a date or a duration.
    public var detail = ""
    public var subtitle = ""
    public var cells: [Cell] = []
    public var isStarred = false
    public var download = Download.none
    /// A share from 0 to 1; nil for no bar.
    public var progress: Double?
    /// Whether the row is of the episode or feed that plays.
    public var isCurrent = false
    /// Whether the row's object is finished, such as a played episode.
    public var isDimmed = false
    public var hasFailed = false
    /// Whether the row opens a screen.
    public var leadsFurther = false

    public init(style: Style = .plain) { self.style = style }

    /// Clears the content; strings keep their capacity.
    mutating func reuse(_ style: Style) {
        self.style = style
        title.removeAll(keepingCapacity: true)
        detail.removeAll(keepingCapacity: true)
        subtitle.removeAll(keepingCapacity: true)
        cells.removeAll(keepingCapacity: true)
        (isStarred, isCurrent, isDimmed, hasFailed) = (false, false, false, false)
        leadsFurther = false
        download = .none
        progress = nil
    }
}

/// The characters that are drawn beside text.
public struct Glyphs: Equatable, Sendable {
    var star = "★"
    var playing = "▶"
    var onDisk = "↓"
    var waiting = "…"
    var failed = "!"
    var barDone = "━"
    var barLeft = "─"
    var cursor = "›"
    var carried = "↕"
    var rule = "─"
    public var frame = Frame()

    /// Corners and edges of a box.
    public struct Frame: Equatable, Sendable {
        public var topLeft = "┌"
        public var topRight = "┐"
        public var bottomLeft = "└"
        public var bottomRight = "┘"
        public var horizontal = "─"
        public var vertical = "│"
    }
    var leads = "›"
    public var back = "‹"

    public static let unicode = Glyphs()
    public static let ascii = Glyphs(
        star: "*", playing: "=", onDisk: "v", waiting: ".", failed: "!", barDone: "=", barLeft: "-", cursor: ">",
        carried: "^", rule: "-",
        frame: Frame(
            topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-", vertical: "|"), leads: ">",
        back: "<")

    /// A progress bar of `columns`.
    func bar(_ share: Double, columns: Int) -> (done: String, left: String) {
        let done = min(columns, max(0, Int((min(max(share, 0), 1) * Double(columns)).rounded())))
        return (String(repeating: barDone, count: done), String(repeating: barLeft, count: columns - done))
    }
}
