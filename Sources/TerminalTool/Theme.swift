internal import Terminal

/// How each role looks.
struct Theme: Equatable {
    enum Background: String, CaseIterable {
        case dark, light
    }

    private(set) var looks: [Role: CellLook] = [:]
    private let colors: Int
    /// A terminal with more colours takes red, green and blue; of its numbers only the first eight are colours of this table.
    private static let mostColors = 256

    /// - Parameter colors: number of colours that the terminal has; 0 for none.
    init(colors: Int, background: Background) {
        let colors = colors > Self.mostColors ? 8 : colors
        self.colors = colors
        for role in Role.allCases { looks[role] = Self.look(of: role, colors: colors, background: background) }
    }

    func look(of role: Role, isSelected: Bool) -> CellLook {
        var look = looks[role] ?? CellLook()
        if isSelected { look.isReversed.toggle() }
        return look
    }

    /// Reads a role's colours: `4`, `4 on 12`, `on 236`, with `bold`, `dim`, `reverse` or `underline`; false for other text.
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
                guard let color = Int32(word), (-1...255).contains(color) else { return false }
                // A terminal without this colour uses its default.
                let number = color < colors ? color : -1
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
        if colors >= 256 { look.foreground = background == .light ? shades.light : shades.dark }
        return look
    }
}
