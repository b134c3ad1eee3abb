internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LibraryUpkeep
internal import SerialThreads

extension DaemonParts {
    var libraryAnswers: [AnsweredCommand] {
        [
            decisions.answer(writeBackup), decisions.answer(statistics),
            decisions.answer(complete),
        ]
    }

    private func complete(_ request: CompleteName) async throws -> CompletionsReply {
        let kind: NamedKind =
            switch request.kind {
            case .feed: .feed
            case .episode: .episode
            case .any: .feedOrEpisode
            }
        let found = try await library.read {
            try $0.names.beginning(with: request.beginning, kind, limit: request.limit)
        }
        return CompletionsReply(
            found.map { CompletionReply(title: $0.title, label: $0.label, feedTitle: $0.feedTitle) })
    }

    private func writeBackup(_ request: BackUpLibrary) async throws -> BackupReply {
        let backup = try await backups.write()
        return BackupReply(path: backup.path, bytes: backup.bytes)
    }
}
