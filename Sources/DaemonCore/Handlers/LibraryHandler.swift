internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import SerialThreads
internal import SystemCalls

struct LibraryHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let backups: BackupService
    let playbackStore: LibraryPlaybackStore

    var answers: [AnsweredCommand] { decisions.answers(writeBackup, statistics, complete) }

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
            found.map { name in
                CompletionReply {
                    $0.title = name.title
                    $0.label = name.label
                    $0.feedTitle = name.feedTitle
                }
            })
    }

    private func writeBackup(_ request: BackUpLibrary) async throws -> BackupReply {
        let backup = try await backups.write()
        return BackupReply {
            $0.path = backup.path
            $0.bytes = backup.bytes
        }
    }

    private func statistics(_ request: GetStatistics) async throws -> StatisticsReply {
        let first = try request.since.map { (text) throws(ControlError) in try CalendarDay(asked: text) }
        await playbackStore.flush()
        return try await library.read { store in
            var reply = StatisticsReply(try store.listening.heard(since: first), since: first)
            reply.libraryDuration = try store.listening.knownDuration()
            return reply
        }
    }
}

extension CalendarDay {
    init(asked text: String) throws(ControlError) {
        guard let day = CalendarDay(parsing: text) else {
            throw ControlError(
                .invalidArgument, "'\(text)' is not a day, month or year", hint: "2026-11-22, 2026-11 or 2026")
        }
        self = day
    }

    var localStart: Timestamp {
        let start = number * 86_400
        return Timestamp(seconds: start - Int64(LocalZone.offset(atSeconds: start)))
    }
}

extension StatisticsReply {
    init(_ heard: [HeardDay], since: CalendarDay?) {
        self.init()
        self.since = since?.description
        total = ListeningReply("", heard)
        feeds = Dictionary(grouping: heard, by: \.feed).values.map { rows in
            var reply = ListeningReply(rows[0].title, rows)
            reply.feed = rows[0].feed
            return reply
        }.sorted { ($1.heard, $0.name) < ($0.heard, $1.name) }
        months = Self.periods(heard) { $0.month }
        years = Self.periods(heard) { $0.year }
    }

    private static func periods(_ heard: [HeardDay], _ name: (CalendarDay) -> String) -> [ListeningReply] {
        Dictionary(grouping: heard) { name($0.day) }.sorted { $0.key < $1.key }.map { ListeningReply($0.key, $0.value) }
    }
}

extension ListeningReply {
    fileprivate init(_ name: String, _ rows: [HeardDay]) {
        self.init()
        self.name = name
        let sum = rows.reduce(into: ListeningTime()) { $0 += $1.time }
        heard = MediaTime(nanoseconds: sum.heard.nanoseconds)
        savedBySpeed = MediaTime(nanoseconds: sum.savedBySpeed.nanoseconds)
        savedBySilence = MediaTime(nanoseconds: sum.savedBySilence.nanoseconds)
    }
}
