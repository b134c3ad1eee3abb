/// The content of a row.
struct TableRow: Equatable {
    enum Style: UInt8 {
        /// A title, and a detail at the right.
        case plain
        /// Like `plain`, with a second line.
        case subtitle
        /// Like `subtitle`, with marks before the title and a progress bar in the second line.
        case media
        /// One line for wide screens: marks, title, dimmed subtitle, progress bar, and cells at the right.
        case columns

        var height: Int { self == .subtitle || self == .media ? 2 : 1 }
    }

    /// Where the file of an episode is.
    enum Download: Equatable {
        case none, waiting
        /// A share from 0 to 1.
        case underWay(Double)
        case onDisk, failed
    }

    /// A text at the right of a row with the style `columns`; its place is the same in each row.
    struct Cell: Equatable {
        var text: String
        /// Columns.
        var width: Int
        var isAtRight = false
    }

    var style = Style.plain
    var title = ""
    /// At the right of the title: a date or a duration.
    var detail = ""
    var subtitle = ""
    var cells: [Cell] = []
    var isStarred = false
    var download = Download.none
    /// A share from 0 to 1; nil for no bar.
    var progress: Double?
    /// Whether the row is of the episode or feed that plays.
    var isCurrent = false
    /// Whether the row's object is finished, such as a played episode.
    var isDimmed = false
    var hasFailed = false
    /// Whether the row opens a screen.
    var leadsFurther = false
}

/// The characters that are drawn beside text.
struct Glyphs: Equatable {
    var star = "★"
    var playing = "▶"
    var onDisk = "↓"
    var waiting = "…"
    var failed = "!"
    var barDone = "━"
    var barLeft = "─"
    var cursor = "›"
    var carried = "↕"
    var frame = Frame()

    /// Corners and edges of a box.
    struct Frame: Equatable {
        var topLeft = "┌"
        var topRight = "┐"
        var bottomLeft = "└"
        var bottomRight = "┘"
        var horizontal = "─"
        var vertical = "│"
    }
    var leads = "›"
    var back = "‹"

    static let unicode = Glyphs()
    static let ascii = Glyphs(
        star: "*", playing: "=", onDisk: "v", waiting: ".", failed: "!", barDone: "=", barLeft: "-", cursor: ">",
        carried: "^",
        frame: Frame(
            topLeft: "+", topRight: "+", bottomLeft: "+", bottomRight: "+", horizontal: "-", vertical: "|"), leads: ">",
        back: "<")

    /// A progress bar of `columns`.
    func bar(_ share: Double, columns: Int) -> (done: String, left: String) {
        let done = min(columns, max(0, Int((min(max(share, 0), 1) * Double(columns)).rounded())))
        return (String(repeating: barDone, count: done), String(repeating: barLeft, count: columns - done))
    }
}
