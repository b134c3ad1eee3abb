internal import PodcastModel

/// The subject of a message: a field in the journal, so that `journalctl PODCASTD_FEED=12` finds the message.
public enum LogSubject: Equatable, Sendable {
    case feed(Int64)
    case episode(Int64)

    /// The journal field's name, with the program's prefix; see systemd.journal-fields(7).
    var field: String {
        switch self {
        case .feed: "PODCASTD_FEED"
        case .episode: "PODCASTD_EPISODE"
        }
    }

    var number: Int64 {
        switch self {
        case .feed(let number), .episode(let number): number
        }
    }
}

/// A one-line message without control characters and secrets.
struct LogEntry: Equatable, Sendable {
    /// In Unicode scalars.
    private static let maximumLength = 2000

    let level: LogLevel
    let section: String
    let text: String
    let subjects: [LogSubject]

    init(_ level: LogLevel, _ section: String, _ message: String, about subjects: [LogSubject]) {
        self.level = level
        self.section = section
        self.subjects = subjects
        // Remove control characters first, because inside a URL they could hide secrets from the redaction.
        text = SafeText.line(redactingAddresses(in: SafeText.line(message)), atMost: Self.maximumLength)
    }

    /// The line with its line break, optionally preceded by the priority of sd-daemon(3).
    func line(hasPriority: Bool) -> [UInt8] {
        Array("\(hasPriority ? "<\(level.rawValue)>" : "")\(section): \(text)\n".utf8)
    }

    /// A datagram of the journal's native protocol: `NAME=value` lines. A text without line breaks needs no length.
    func journalDatagram(identifier: String) -> [UInt8] {
        var fields = "MESSAGE=\(section): \(text)\nPRIORITY=\(level.rawValue)\nSYSLOG_IDENTIFIER=\(identifier)\n"
        fields += "PODCASTD_SECTION=\(section)\n"
        for subject in subjects { fields += "\(subject.field)=\(subject.number)\n" }
        return Array(fields.utf8)
    }
}
