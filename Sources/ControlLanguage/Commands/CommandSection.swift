/// Commands whose names begin with the same word, because one part of the daemon answers them.
public struct CommandSection: Sendable {
    public let name: String
    private let list: @Sendable () -> [any Command.Type]

    /// `types` lists the commands in the manual's order; evaluated on first use.
    public init(_ name: String, _ types: @autoclosure @escaping @Sendable () -> [any Command.Type]) {
        self.name = name
        list = types
    }

    /// The section's commands in the manual's order.
    public var types: [any Command.Type] { list() }

    public var declarations: [CommandDeclaration] { types.map { $0.declaration } }

    /// The part of a command's name before the dot.
    public static func name(ofCommand name: String) -> String { String(name.prefix { $0 != "." }) }
}
