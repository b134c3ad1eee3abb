/// The keys of actions, which are known by their names. A key has one action.
public struct KeyMap: Sendable {
    public enum Failure: Error, Equatable {
        case unknownKey(String)
        case unknownAction(String)
    }

    private let defaults: [(action: String, keys: [String])]
    private var actions: [Key: String] = [:]

    /// - Parameter defaults: each action with its keys in the spelling of `Key`.
    public init(_ defaults: [(action: String, keys: [String])]) {
        self.defaults = defaults
        for (action, keys) in defaults {
            for key in keys.compactMap(Key.init(spelling:)) { actions[key] = action }
        }
    }

    public subscript(_ key: Key) -> String? { actions[key] }

    /// Binds a key; the key's earlier action loses the key.
    ///
    /// - Parameter action: the action's name; empty for none.
    public mutating func bind(_ spelling: String, to action: String) throws(Failure) {
        guard let key = Key(spelling: spelling) else { throw .unknownKey(spelling) }
        guard action.isEmpty || defaults.contains(where: { $0.action == action }) else { throw .unknownAction(action) }
        actions[key] = action.isEmpty ? nil : action
    }

    /// The keys of an action: those of its defaults first, in their order, then others by spelling.
    public func keys(of action: String) -> [String] {
        let bound = Set(actions.filter { $0.value == action }.map(\.key.spelling))
        let first = defaults.first { $0.action == action }?.keys.filter { bound.contains($0) } ?? []
        return first + bound.subtracting(first).sorted()
    }
}
