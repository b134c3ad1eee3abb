/// The commands whose names begin with the same word, because one part of the daemon answers them.
public struct CommandSection: Hashable, Sendable {
    public let name: String
    private let list: @Sendable () -> [any Command.Type]

    /// A section; `types` lists its commands in the order of the manual, and is read when they are needed.
    public init(_ name: String, _ types: @autoclosure @escaping @Sendable () -> [any Command.Type]) {
        self.name = name
        list = types
    }

    /// Its commands in the order of the manual.
    public var types: [any Command.Type] { list() }

    public var declarations: [CommandDeclaration] { types.map { $0.declaration } }

    /// The word before the point of a command's name.
    public static func name(ofCommand name: String) -> String { String(name.prefix { $0 != "." }) }

    public static func == (left: CommandSection, right: CommandSection) -> Bool { left.name == right.name }

    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
