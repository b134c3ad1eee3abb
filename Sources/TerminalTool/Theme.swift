internal import TableUI
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
        switch role {
        case .normal: break
        case .bar:
            look.isReversed = true
        case .heading: look.isBold = true
        case .dim: look.isDim = colors < 16
        case .mark, .progress, .match: look.isBold = true
        case .busy:
            look.isBold = true
            look.isReversed = true
        case .error: look.isBold = true
        }
        guard colors >= 8 else { return look }
        switch role {
        case .normal, .bar: break
        case .heading: look.foreground = color(6, 14, 25, 75, colors, background)
        case .dim: if colors >= 16 { look.foreground = color(8, 8, 244, 246, colors, background) }
        case .mark, .progress: look.foreground = color(2, 10, 28, 114, colors, background)
        case .busy: look.foreground = color(3, 11, 130, 221, colors, background)
        case .error: look.foreground = color(1, 9, 124, 203, colors, background)
        case .match: look.foreground = color(5, 13, 90, 176, colors, background)
        }
        return look
    }

    /// A colour of 8, of 16 on dark, and of 256 on light and on dark.
    private static func color(
        _ basic: Int32, _ bright: Int32, _ light: Int32, _ dark: Int32, _ colors: Int, _ background: Background
    ) -> Int32 {
        if colors >= 256 {
            return TerminalColor.indexed(background == .light ? light : dark).number(among: colors)
        }
        return colors >= 16 && background == .dark ? bright : basic
    }
}

extension Role {
    /// Its name in a configuration.
    init?(name: String) {
        switch name {
        case "normal": self = .normal
        case "bar": self = .bar
        case "heading": self = .heading
        case "dim": self = .dim
        case "mark": self = .mark
        case "progress": self = .progress
        case "busy": self = .busy
        case "error": self = .error
        case "match": self = .match
        default: return nil
        }
    }
}
