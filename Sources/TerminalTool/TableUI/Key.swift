internal import PodcastModel

/// A key with its modifiers, as a configuration spells it: `a`, `A`, `^R`, `space`, `page-down`, `alt-x`, `f1`.
struct Key: Hashable {
    enum Code: Hashable {
        case character(Character)
        case named(Name)
        case function(Int)
    }

    enum Name: String, CaseIterable {
        case up, down, left, right
        case pageUp = "page-up"
        case pageDown = "page-down"
        case home, end, enter, escape, tab
        case backTab = "back-tab"
        case backspace, delete, insert, space
    }

    var code: Code
    var hasControl = false
    var hasAlt = false

    init(_ code: Code, hasControl: Bool = false, hasAlt: Bool = false) {
        self.code = code == .character(" ") ? .named(.space) : code
        self.hasControl = hasControl
        self.hasAlt = hasAlt
    }

    init(_ character: Character) { self.init(.character(character)) }
    init(_ name: Name) { self.init(.named(name)) }

    /// Reads the spelling of a configuration; nil for an unknown spelling.
    init?(spelling: String) {
        let hasAlt = spelling.hasPrefix("alt-")
        let key = spelling.dropFirst(hasAlt ? 4 : 0)
        let hasControl = key.count == 2 && key.first == "^"
        let rest = key.dropFirst(hasControl ? 1 : 0)
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
    var spelling: String {
        let text =
            switch code {
            case .character(let character): String(character)
            case .named(let name): name.rawValue
            case .function(let number): "f\(number)"
            }
        return (hasAlt ? "alt-" : "") + (hasControl ? "^" : "") + text
    }

    /// The character that the key types; nil for other keys.
    var typed: Character? {
        guard !hasControl, !hasAlt else { return nil }
        switch code {
        case .character(let character): return character
        case .named(.space): return " "
        case .named, .function: return nil
        }
    }
}

/// An action of the mouse.
struct PointerEvent: Equatable {
    enum Kind: String {
        case press, drag, release, wheelUp, wheelDown
    }

    var kind: Kind
    /// From 0.
    var line: Int
}

/// The keys of actions, which are known by their names. A key has one action.
struct KeyMap {
    private let defaults: [(action: String, keys: [String])]
    private var actions: [Key: String] = [:]

    /// - Parameter defaults: each action with its keys in the spelling of `Key`.
    init(_ defaults: [(action: String, keys: [String])]) {
        self.defaults = defaults
        for (action, keys) in defaults {
            for key in keys.compactMap(Key.init(spelling:)) { actions[key] = action }
        }
    }

    subscript(_ key: Key) -> String? { actions[key] }

    /// Binds a key to an action, or to none with an empty name. Returns why the key cannot be bound; nil if it was.
    mutating func bind(_ spelling: String, to action: String) -> String? {
        guard let key = Key(spelling: spelling) else {
            return "no key is called '\(spelling)'; examples: a, ^R, f2, page-down"
        }
        guard action.isEmpty || defaults.contains(where: { $0.action == action }) else {
            return "no action is called '\(action)'; see podcast-tui(1) for their names"
        }
        actions[key] = action.nonEmpty
        return nil
    }

    /// The keys of an action: those of its defaults first, in their order, then others by spelling.
    func keys(of action: String) -> [String] {
        let bound = Set(actions.filter { $0.value == action }.map(\.key.spelling))
        let first = defaults.first { $0.action == action }?.keys.filter { bound.contains($0) } ?? []
        return first + bound.subtracting(first).sorted()
    }
}
