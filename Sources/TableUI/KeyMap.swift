/// Something that a key can do: a name for the configuration, default keys and a line of help.
public protocol KeyAction: Hashable, Sendable, CaseIterable {
    var name: String { get }
    /// In the spelling of `Key`.
    var defaultKeys: [String] { get }
    /// The action as a command: "Play or pause".
    var help: String { get }
}

/// The keys of each action. A key has one action.
public struct KeyMap<Action: KeyAction>: Sendable {
    public enum Failure: Error, Equatable {
        case unknownKey(String)
        case unknownAction(String)
    }

    private var actions: [Key: Action] = [:]

    /// The default keys.
    public init() {
        for action in Action.allCases {
            for spelling in action.defaultKeys {
                if let key = Key(spelling: spelling) { actions[key] = action }
            }
        }
    }

    public subscript(_ key: Key) -> Action? { actions[key] }

    /// Binds a key; the key's earlier action loses the key.
    ///
    /// - Parameter action: the action's name; empty for none.
    public mutating func bind(_ spelling: String, to action: String) throws(Failure) {
        guard let key = Key(spelling: spelling) else { throw .unknownKey(spelling) }
        if action.isEmpty {
            actions[key] = nil
        } else {
            guard let action = Self.action(action) else { throw .unknownAction(action) }
            actions[key] = action
        }
    }

    private static func action(_ name: String) -> Action? { Action.allCases.first { $0.name == name } }

    /// The keys of the action with a name: those of its defaults first, in their order, then others by spelling.
    public func keys(of action: String) -> [String] {
        let bound = Set(actions.filter { $0.value.name == action }.map(\.key.spelling))
        let defaults = (Self.action(action)?.defaultKeys ?? []).filter { bound.contains($0) }
        return defaults + bound.subtracting(defaults).sorted()
    }
}
