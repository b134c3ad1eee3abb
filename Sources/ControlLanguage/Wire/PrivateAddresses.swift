public import JSON
internal import PodcastModel

extension CommandAnswer {
    /// The answer with its result as a client may see it.
    func showing(to permission: CommandDeclaration.Permission) -> CommandAnswer {
        if permission == .admin { return self }
        let shown = { @Sendable (result: CommandResult) -> CommandResult in
            result.map { $0.json.showing(to: permission) }
                .mapError { ControlError(json: $0.json.showing(to: permission)) }
        }
        switch self {
        case .now(let result): return .now(shown(result))
        case .later(let start): return .later { finish in start { finish(shown($0)) } }
        }
    }
}

extension JSONValue {
    /// Members with texts that publishers wrote for everybody, or that the listener wrote. Every other text may contain the address
    /// of a private feed.
    private static let published: Set = ["link", "image", "summary", "content", "html", "note", "text"]

    /// A result as a client may see it. Clients below `admin` get addresses without user names, passwords and queries,
    /// because those would let anybody fetch a private feed.
    public func showing(to permission: CommandDeclaration.Permission) -> JSONValue {
        permission == .admin ? self : redacted(isPublished: false)
    }

    private func redacted(isPublished: Bool) -> JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.map { member in
                    Member(member.name, member.value.redacted(isPublished: Self.published.contains(member.name)))
                })
        case .array(let values): .array(values.map { $0.redacted(isPublished: isPublished) })
        case .string(let text) where !isPublished && text.contains(":"): .string(redactingAddresses(in: text))
        case .null, .bool, .integer, .number, .string: self
        }
    }
}
