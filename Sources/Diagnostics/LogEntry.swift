internal import PodcastModel

/// What a message is about. The journal keeps each as a field of its own, so that `journalctl PODCASTD_FEED=12` finds it.
public enum LogSubject: Equatable, Sendable {
    /// A feed's number.
    case feed(Int64)
    /// An episode's number.
    case episode(Int64)

    /// The field's name; systemd.journal-fields(7) leaves names with a program's own prefix to the program.
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

/// One message, ready to be written: of one line and without secrets, whatever a feed put into it.
struct LogEntry: Equatable, Sendable {
    /// Unicode scalars of a message.
    private static let maximumLength = 2000

    let level: LogLevel
    let section: String
    let text: String
    let subjects: [LogSubject]

    init(_ level: LogLevel, _ section: String, _ message: String, about subjects: [LogSubject]) {
        self.level = level
        self.section = section
        self.subjects = subjects
        // Cleaned first, because control characters inside an address could hide its secrets from the redaction.
        text = SafeText.line(redactingAddresses(in: SafeText.line(message)), atMost: Self.maximumLength)
    }

    /// A line with its end, with the priority of sd-daemon(3) before it if wanted.
    func line(hasPriority: Bool) -> [UInt8] {
        Array("\(hasPriority ? "<\(level.rawValue)>" : "")\(section): \(text)\n".utf8)
    }

    /// A datagram of the journal's own protocol: `NAME=value` lines; the text has no line break, so none needs a length.
    func journalDatagram(identifier: String) -> [UInt8] {
        var fields = "MESSAGE=\(section): \(text)\nPRIORITY=\(level.rawValue)\nSYSLOG_IDENTIFIER=\(identifier)\n"
        fields += "PODCASTD_SECTION=\(section)\n"
        for subject in subjects { fields += "\(subject.field)=\(subject.number)\n" }
        return Array(fields.utf8)
    }
}
