internal import Terminal

/// How each role looks.
struct Theme: Equatable {
    enum Background: String, CaseIterable {
        case dark
        case light
    }

    private(set) var looks: [Role: CellLook] = [:]
    private let colors: Int

    /// - Parameter colors: number of colours that the terminal has; 0 for none.
    init(colors: Int, background: Background) {
        self.colors = colors
        for role in Role.allCases { looks[role] = Self.look(of: role, colors: colors, background: background) }
    }

    func look(of role: Role, isSelected: Bool) -> CellLook {
        var look = looks[role] ?? CellLook()
        if isSelected { look.isReversed.toggle() }
        return look
    }

    /// Changes a role's colours: `4`, `4 on 12`, `on #202830`, with `bold`, `dim`, `reverse` or `underline`.
    /// - Returns: false if the text is not such a description.
    mutating func set(_ role: Role, _ text: String) -> Bool {
        var look = CellLook()
        var isBackground = false
        for word in text.split(separator: " ") {
            switch word {
            case "on": isBackground = true
            case "bold": look.isBold = true
            case "dim": look.isDim = true
            case "reverse": look.isReversed = true
            case "underline": look.isUnderlined = true
            default:
                guard let color = TerminalColor(word) else { return false }
                let number = color.number(among: colors)
                if isBackground { look.background = number } else { look.foreground = number }
            }
        }
        looks[role] = look
        return true
    }

    private static func look(of role: Role, colors: Int, background: Background) -> CellLook {
        var look = CellLook()
        // A colour of 8, of 16 on dark, and of 256 on light and on dark.
        var shades: (basic: Int32, bright: Int32, light: Int32, dark: Int32)?
        switch role {
        case .normal: break
        case .bar: look.isReversed = true
        case .heading: (look.isBold, shades) = (true, (6, 14, 25, 75))
        case .dim: if colors < 16 { look.isDim = true } else { shades = (8, 8, 244, 246) }
        case .mark, .progress: (look.isBold, shades) = (true, (2, 10, 28, 114))
        case .busy: (look.isBold, look.isReversed, shades) = (true, true, (3, 11, 130, 221))
        case .error: (look.isBold, shades) = (true, (1, 9, 124, 203))
        case .match: (look.isBold, shades) = (true, (5, 13, 90, 176))
        }
        guard colors >= 8, let shades else { return look }
        look.foreground = colors >= 16 && background == .dark ? shades.bright : shades.basic
        if colors >= 256 {
            look.foreground = TerminalColor.indexed(background == .light ? shades.light : shades.dark)
                .number(among: colors)
        }
        return look
    }
}

/// A colour in a configuration or theme.
enum TerminalColor: Equatable {
    /// -1 for the terminal's default; 0 to 255 as in xterm.
    case indexed(Int32)
    case direct(red: Int32, green: Int32, blue: Int32)

    /// Colours of a terminal that takes red, green and blue.
    static let directColors = 1 << 24
    /// The steps of a channel in the 6 × 6 × 6 colours from 16 on.
    private static let steps: [Int32] = [0, 95, 135, 175, 215, 255]

    /// `-1` to `255`, or `#RRGGBB`.
    init?(_ text: Substring) {
        if let number = Int32(text), (-1...255).contains(number) {
            self = .indexed(number)
        } else if text.first == "#", text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
            let number = Int32(text.dropFirst(), radix: 16)
        {
            self = .direct(red: number >> 16, green: number >> 8 & 0xFF, blue: number & 0xFF)
        } else {
            return nil
        }
    }

    /// The number of this colour, or of the nearest one, on a terminal with this many colours.
    func number(among colors: Int) -> Int32 {
        switch self {
        case .indexed(let number):
            if colors < Self.directColors || number < 8 { return number }
            let (red, green, blue) = Self.channels(of: number)
            return red << 16 | green << 8 | blue
        case .direct(let red, let green, let blue):
            // Direct colours below 8 are the eight basic ones: the nearest other black is as good.
            if colors >= Self.directColors { return max(8, red << 16 | green << 8 | blue) }
            let candidates: ClosedRange<Int32> = colors >= 256 ? 16...255 : 0...Int32(max(0, min(colors, 16) - 1))
            return candidates.min { distance(to: $0) < distance(to: $1) } ?? -1
        }
    }

    private func distance(to number: Int32) -> Int32 {
        guard case .direct(let red, let green, let blue) = self else { return 0 }
        let other = Self.channels(of: number)
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        // Eyes tell greens apart best.
        return 2 * r * r + 4 * g * g + 3 * b * b
    }

    private static func channels(of number: Int32) -> (red: Int32, green: Int32, blue: Int32) {
        if number >= 232 {
            let gray = 8 + (number - 232) * 10
            return (gray, gray, gray)
        }
        if number >= 16 {
            let index = Int(number) - 16
            return (steps[index / 36], steps[index / 6 % 6], steps[index % 6])
        }
        let full: Int32 = number >= 8 ? 255 : 170
        let base: Int32 = number == 8 ? 85 : 0
        return (
            number & 1 != 0 ? full : base, number & 2 != 0 ? full : base, number & 4 != 0 ? full : base
        )
    }
}
