public import PodcastModel
internal import SQLite

/// The place of a line in the history: the latest first.
public struct HistoryKey: Equatable, Sendable {
    public var time: Timestamp
    public var number: Int64

    public init(time: Timestamp, number: Int64) { (self.time, self.number) = (time, number) }
}

/// A setting of the daemon with the value that clients set; nil if they set none.
public struct ClientSetting: Equatable, Sendable {
    public enum Name: Hashable, Sendable, CustomStringConvertible {
        /// A key of the configuration.
        case key(String)
        case volume
        /// The name of an output. The value is an `OutputSetup` as JSON.
        case output(String)

        private static let outputPrefix = "output "

        /// As in the library, and in documents. Keys contain no space.
        public init(_ text: String) {
            if text == Name.volume.description {
                self = .volume
            } else if text.hasPrefix(Self.outputPrefix) {
                self = .output(String(text.dropFirst(Self.outputPrefix.count)))
            } else {
                self = .key(text)
            }
        }

        public var description: String {
            switch self {
            case .key(let key): key
            case .volume: "volume"
            case .output(let name): Self.outputPrefix + name
            }
        }
    }

    public var name: Name
    public var value: String?
    /// The value before an undo or redo.
    public var replaced: String?

    public init(_ name: Name, _ value: String?, replaced: String? = nil) {
        self.name = name
        self.value = value
        self.replaced = replaced
    }
}

/// A changed setting; a value is nil if clients set none.
public struct SettingChange: Equatable, Sendable {
    public var name: ClientSetting.Name
    public var old: String?
    public var new: String?

    public init(_ name: ClientSetting.Name, from old: String?, to new: String?) {
        self.name = name
        self.old = old
        self.new = new
    }
}

/// The listening history, and the steps that can be undone.
public struct HistoryStore: LibraryPart {
    let library: LibraryStore

    /// Maximum lines of the history.
    static let historyLength: Int64 = 100_000
    /// Milliseconds within which seeks of one episode count as one: a slider that is dragged, not keys that are pressed.
    private static let seekGap: Int64 = 300
    /// Milliseconds within which actions of rules, or changes of one setting, count as one step: a refresh stores feed after feed.
    private static let stepGap: Int64 = 60_000
    /// Milliseconds within which reports of a device on one episode count as one step.
    private static let reportGap: Int64 = 600_000
    /// Milliseconds of a pause after which an episode that is continued is a new line among what was heard.
    private static let sittingGap: Int64 = 3_600_000

    /// A page of the history, newest first, starting after `key`; nil for the first page. Lines of rules have the present text
    /// of the rule, and go when the rule's action is undone.
    /// - Parameter heardOnly: true to omit marks, seeks, the actions of rules, and all but the last stop of a sitting.
    public func history(
        of feed: FeedID? = nil, since start: Timestamp? = nil, after key: HistoryKey? = nil, limit: Int,
        heardOnly: Bool = false
    ) throws(LibraryError) -> [HistoryRecord] {
        // A touch of 'play' is not listed as heard.
        func isHeard(_ line: String) -> String {
            "(\(line).event = 'played' OR \(line).event = 'heard' AND \(Section.isProgress("\(line).position")))"
        }
        // The positions tell how much of the time between two lines was playback.
        let isListed =
            heardOnly
            ? """
            \(isHeard("h")) AND (h.event = 'played' OR NOT EXISTS (
              SELECT 1 FROM history n
              WHERE n.episode = h.episode AND (n.time, n.id) > (h.time, h.id)
                AND n.time - max(0, n.position - h.position) < h.time + \(Self.sittingGap) AND \(isHeard("n"))))
            """ : "(h.event <> 'queued' OR a.episode IS NOT NULL)"
        let place: SQL = key.map { "AND (h.time, h.id) < (\($0.time), \($0.number))" } ?? ""
        return try read {
            try connection.all(
                """
                SELECT h.id, h.time, h.event, h.episode, e.title, h.position,
                  'rule ' || a.rule || ': ' || coalesce(r.text, 'then ' || a.action) AS reason
                FROM history h JOIN episode e ON e.id = h.episode JOIN feed f ON f.id = e.feed AND e.id <= f.last_episode
                  LEFT JOIN rule_act a ON a.episode = h.episode AND h.event = 'queued' LEFT JOIN rule r ON r.id = a.rule
                WHERE \(raw: isListed) AND h.time >= coalesce(\(start), h.time) AND e.feed = coalesce(\(feed), e.feed) \(place)
                ORDER BY h.time DESC, h.id DESC LIMIT \(limit)
                """
            ) { row in
                var record = HistoryRecord()
                record.time = row["time"]
                record.event = row["event"] ?? .heard
                record.episode = row["episode"]
                record.title = row["title"]
                record.position = row["position"]
                record.number = row["id"]
                record.reason = row["reason"]
                return record
            }
        }
    }

    /// Records where a seek started, for undo. Seeks in quick succession count as one. A power cut may lose the record.
    public func recordSeek(of id: EpisodeID, from position: MediaTime, at now: Timestamp) throws(LibraryError) {
        try write(.relaxed) {
            let target = try library.episodes.episode(id).state.position
            try add(.left, of: id, position, at: now)
            // The target is stored already. Recorded is the way there.
            try setPosition(try continuedSeek(of: id, at: now).map { MediaTime(milliseconds: $0) } ?? position, of: id)
            try recording(.seek, at: now) { try setPosition(target, of: id) }
        }
    }

    /// Records changes of the daemon's settings for undo. Changes of the volume within a minute are one act; so are an
    /// import and the settings of the imported document. Committed before the function returns.
    /// - Parameters:
    ///   - kind: `set`, `output`, `speed` or `imported`.
    ///   - title: the changed object, for people.
    ///   - joins: whether this and the same change within a minute before are one act.
    public func recordSettings(
        _ changes: [SettingChange], as kind: Act, title: String, joins: Bool = false, at now: Timestamp
    ) throws(LibraryError) {
        try write(.synced) {
            // The file of settings may have been edited since the last act.
            for change in changes { try store(change.name, change.old) }
            let turned = joins || changes.first?.name == .volume ? changes.first : nil
            let last: SQL = "\(Self.isLast) AND s.kind = \(kind) AND s.title = \(title)"
            let step =
                turned != nil && changes.count == 1 || kind == .imported
                ? try recentStep(last, now, within: Self.stepGap) : nil
            if let turned, changes.count == 1, let step, let former = try replaced(step)?["value"]?.text {
                try store(turned.name, former)
            }
            try recording(kind, title: title, at: now, continuing: step) {
                for change in changes { try store(change.name, change.new) }
            }
        }
    }

    /// Stores the value of a setting that clients set; nil for none.
    func store(_ setting: ClientSetting.Name, _ value: String?) throws {
        let name = setting.description
        guard let value else { return try run("DELETE FROM client_setting WHERE name = \(name)") }
        try run(
            """
            INSERT INTO client_setting(name, value) VALUES (\(name), \(value))
            ON CONFLICT DO UPDATE SET value = excluded.value
            """)
    }

    func setPosition(_ position: MediaTime, of id: EpisodeID) throws {
        try run(
            """
            INSERT INTO playback(episode, position) VALUES (\(id), \(max(.zero, position)))
            ON CONFLICT DO UPDATE SET position = excluded.position
            """)
    }

    func add(_ event: HistoryRecord.Event, of id: EpisodeID, _ position: MediaTime, at now: Timestamp) throws {
        try run(
            """
            INSERT INTO history(time, event, episode, position)
            VALUES (\(now), \(event), \(id), \(max(.zero, position)))
            """)
        try run("DELETE FROM history WHERE id <= \(connection.lastInsertedRow - Self.historyLength)")
    }

    // MARK: Import and export

    /// Lines of one episode that are exported, imported or kept until the episode is there.
    static let mostPortableLines = 1_000

    /// The latest lines of an episode, without those of rules.
    func portable(of episode: Int64) throws -> [HistoryRecord] {
        try connection.all(
            """
            SELECT time, event, position FROM history WHERE episode = \(episode) AND event <> 'queued'
            ORDER BY time DESC, event, position LIMIT \(Self.mostPortableLines)
            """
        ) { HistoryRecord(time: $0["time"], event: $0["event"] ?? .heard, position: $0["position"]) }
    }

    /// Skips lines that the history has.
    func add(_ lines: [HistoryRecord], to episode: EpisodeID) throws {
        for line in lines.prefix(Self.mostPortableLines)
        where try !connection.exists(
            """
            SELECT 1 FROM history WHERE episode = \(episode) AND time = \(line.time) AND event = \(line.event)
              AND position = \(line.position)
            """)
        {
            try add(line.event, of: episode, line.position, at: line.time)
        }
    }

    // MARK: Steps that can be undone

    /// The step that the rules' present actions continue, if that step is the last and recent.
    func ruleStep(at now: Timestamp) throws -> Int64? {
        let last: SQL = "s.id = (SELECT max(id) FROM undo_step WHERE undone = 0) AND s.kind = \(Act.ruled)"
        guard let step = try recentStep(last, now, within: Self.stepGap) else { return nil }
        try run("UPDATE undo_step SET time = \(now) WHERE id = \(step)")
        return step
    }

    /// The step of what a device reported, if that step is the last and recent.
    /// - Parameter id: the only episode that the step may concern; nil for any episodes.
    func report(of device: String, on id: EpisodeID?, at now: Timestamp) throws -> Int64? {
        let last: SQL = """
            \(Self.isLast) AND s.kind = \(Act.synced) AND s.title = \(device) AND (\(id) IS NULL OR s.count = 1
              AND EXISTS (SELECT 1 FROM undo_episode u WHERE u.step = s.id AND u.episode = \(id)))
            """
        guard let step = try recentStep(last, now, within: Self.reportGap) else { return nil }
        try run("UPDATE undo_step SET time = \(now) WHERE id = \(step)")
        return step
    }

    /// Whether a device reports an episode once more, so that the history has the position before the first report.
    func isReportedAgain(_ id: EpisodeID) throws -> Bool {
        guard let step = library.recording?.step, library.recording?.kind == .synced else { return false }
        return try connection.exists("SELECT 1 FROM undo_episode WHERE step = \(step) AND episode = \(id)")
    }

    /// Withdraws a step that the present act replaces, so that an act that leads back to the start leaves no step.
    /// - Returns: the first row that the step changed.
    private func replaced(_ step: Int64) throws -> RecordedRow? {
        // Ignore a damaged record, so that the current change succeeds.
        let row = try? lastPart(of: step).flatMap { try library.rows(of: $1).first }
        try run("DELETE FROM undo_step WHERE id = \(step)")
        return row
    }

    /// The start, in milliseconds, of a seek of this episode that is the last step and ended a moment ago. That step is withdrawn.
    private func continuedSeek(of id: EpisodeID, at now: Timestamp) throws -> Int64? {
        let isSeek: SQL = """
            \(Self.isLast) AND s.kind = \(Act.seek)
              AND EXISTS (SELECT 1 FROM undo_episode u WHERE u.step = s.id AND u.episode = \(id))
            """
        return try recentStep(isSeek, now, within: Self.seekGap).flatMap {
            try replaced($0)?.before["position"]?.integer
        }
    }

    private static let isLast: SQL = "s.id = (SELECT max(id) FROM undo_step) AND s.undone = 0"

    /// The step `s` for which a condition holds, if the step is less than `gap` milliseconds old.
    func recentStep(_ condition: SQL, _ now: Timestamp, within gap: Int64) throws -> Int64? {
        try connection.value(
            """
            SELECT s.id FROM undo_step s
            WHERE \(condition) AND s.time > \(now.milliseconds - gap) AND s.time <= \(now)
            """)
    }
}
