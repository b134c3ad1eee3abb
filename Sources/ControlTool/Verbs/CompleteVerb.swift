internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// `complete KIND WORD`: prints what a shell offers for a word, a name in each line, and after a tab what it is. Prints nothing if
/// there is no daemon, because a shell shows completions in the middle of a command line.
enum CompleteVerb {
    /// What names belong to.
    enum Kind: String, CaseIterable {
        case feed, episode, title, playlist, output, setting
        case feedSetting = "feed-setting"
    }

    /// More than a screen of a shell.
    private static let limit = 50

    private static let kind = ArgumentDeclaration("KIND", .choice(Kind.allCases.map(\.rawValue)), help: "")
    private static let word = ArgumentDeclaration("WORD", count: .optional, help: "")

    static var subcommand: SubcommandDeclaration {
        SubcommandDeclaration(
            ["complete"], "Print the names that begin with a word, for completions.", group: nil,
            arguments: [kind, word])
    }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        guard let kind = line.parsed.text(kind).flatMap(Kind.init(rawValue:)) else { return .usage }
        let word = line.parsed.text(word) ?? ""
        let names: [(name: String, meaning: String)]
        do throws(ClientFailure) {
            names = try Self.names(kind, word, ControlConnection(path: line.socket))
        } catch {
            return .unavailable
        }
        for (name, meaning) in names {
            try line.streams.output.line("\(SafeText.line(name))\t\(SafeText.line(meaning))")
        }
        return .success
    }

    /// The names alone; none if there is no daemon.
    static func names(_ kind: Kind?, _ word: String, socket: String) -> [String] {
        guard let kind, let connection = try? ControlConnection(path: socket) else { return [] }
        return ((try? names(kind, word, connection)) ?? []).map { SafeText.line($0.name) }
    }

    private static func names(
        _ kind: Kind, _ word: String, _ connection: ControlConnection
    ) throws(ClientFailure) -> [(name: String, meaning: String)] {
        switch kind {
        case .feed: try titles(.feed, word, connection)
        case .episode: try titles(.episode, word, connection)
        case .title: try titles(.any, word, connection)
        case .playlist:
            try beginning(with: word, connection.call(ListPlaylists()).playlists.map { ($0.name, $0.title) })
        case .output:
            try beginning(with: word, connection.call(ListOutputs()).outputs.map { ($0.name, $0.specification) })
        case .setting:
            try beginning(with: word, connection.call(ListSettings()).settings.map { ($0.key, $0.help) })
        case .feedSetting:
            beginning(with: word, FeedSetting.allCases.map { ($0.rawValue, $0.help) })
        }
    }

    private static func titles(
        _ kind: CompletedKind, _ word: String, _ connection: ControlConnection
    ) throws(ClientFailure) -> [(name: String, meaning: String)] {
        let reply = try connection.call(CompleteName { ($0.beginning, $0.kind, $0.limit) = (word, kind, limit) })
        return reply.names.map { name in
            (name.title, name.feedTitle.map { "\(name.label), \($0)" } ?? name.label)
        }
    }

    private static func beginning(
        with word: String, _ names: [(name: String, meaning: String)]
    ) -> [(name: String, meaning: String)] {
        names.filter { $0.name.lowercased().hasPrefix(word.lowercased()) }
    }
}

extension SubcommandDeclaration {
    /// Says what completions offer for the first argument.
    mutating func completeFirst(_ kind: CompleteVerb.Kind) {
        if !arguments.isEmpty { arguments[0].kind = .name(of: kind.rawValue) }
    }
}
