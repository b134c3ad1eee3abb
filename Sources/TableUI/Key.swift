/// A key with its modifiers, as a configuration spells it: `a`, `A`, `^R`, `space`, `page-down`, `alt-x`, `f1`.
public struct Key: Hashable, Sendable {
    public enum Code: Hashable, Sendable {
        case character(Character)
        case named(Name)
        case function(Int)
    }

    public enum Name: String, Sendable, CaseIterable {
        case up
        case down
        case left
        case right
        case pageUp = "page-up"
        case pageDown = "page-down"
        case home
        case end
        case enter
        case escape
        case tab
        case backTab = "back-tab"
        case backspace
        case delete
        case insert
        case space
    }

    var code: Code
    public var hasControl = false
    public var hasAlt = false

    public init(_ code: Code, hasControl: Bool = false, hasAlt: Bool = false) {
        self.code = code == .character(" ") ? .named(.space) : code
        self.hasControl = hasControl
        self.hasAlt = hasAlt
    }

    public init(_ character: Character) { self.init(.character(character)) }
    public init(_ name: Name) { self.init(.named(name)) }

    /// Reads the spelling of a configuration; nil for an unknown spelling.
    public init?(spelling: String) {
        var rest = spelling[...]
        var (hasControl, hasAlt) = (false, false)
        if rest.hasPrefix("alt-") {
            hasAlt = true
            rest = rest.dropFirst(4)
        }
        if rest.count == 2, rest.first == "^" {
            hasControl = true
            rest = rest.dropFirst()
        }
        if let name = Name(rawValue: rest.lowercased()), rest.count > 1 {
            self.init(.named(name), hasControl: hasControl, hasAlt: hasAlt)
        } else if rest.count > 1, rest.first == "f" || rest.first == "F", let number = Int(rest.dropFirst()),
            (1...12).contains(number)
        {
            self.init(.function(number), hasAlt: hasAlt)
        } else if rest.count == 1, let character = rest.first {
            let folded = hasControl ? Character(character.uppercased()) : character
            self.init(.character(folded), hasControl: hasControl, hasAlt: hasAlt)
        } else {
            return nil
        }
    }

    /// As `init(spelling:)` reads it.
    public var spelling: String {
        let text =
            switch code {
            case .character(let character): String(character)
            case .named(let name): name.rawValue
            case .function(let number): "f\(number)"
            }
        return (hasAlt ? "alt-" : "") + (hasControl ? "^" : "") + text
    }

    /// The character that the key types; nil for other keys.
    public var typed: Character? {
        guard !hasControl, !hasAlt else { return nil }
        switch code {
        case .character(let character): return character
        case .named(.space): return " "
        case .named, .function: return nil
        }
    }
}

/// An action of the mouse.
public struct PointerEvent: Equatable, Sendable {
    public enum Kind: String, Sendable {
        case press
        case drag
        case release
        case wheelUp
        case wheelDown
    }

    public var kind: Kind
    /// From 0.
    var column: Int
    public var line: Int

    public init(_ kind: Kind, column: Int, line: Int) {
        self.kind = kind
        self.column = column
        self.line = line
    }
}
