public import PodcastModel
internal import SystemCalls

/// Exit statuses of the programs: sysexits.h(3head).
public enum ExitStatus: Int32, Sendable, CaseIterable {
    case success = 0
    /// The awaited episode was stopped.
    case stopped = 1
    /// Another episode replaced the awaited one.
    case replaced = 2
    case usage = 64
    /// Invalid input, such as a file that is not a feed or not JSON.
    case badData = 65
    /// An input does not exist or cannot be read.
    case noInput = 66
    /// A service is not available: the daemon is not running, or a server refuses permanently.
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case ioError = 74
    /// A temporary failure; the same call may succeed later.
    case tryAgain = 75
    case protocolFault = 76
    case noPermission = 77
    case configuration = 78

    var meaning: String {
        switch self {
        case .success: "Done, also if nothing was found."
        case .stopped: "The episode that 'play --wait' waited for was stopped."
        case .replaced: "Another episode plays instead of the one that 'play --wait' waited for."
        case .usage: "Invalid command line, or a name that matches several."
        case .badData: "Invalid input."
        case .noInput: "Input not found, or a name that matches nothing."
        case .unavailable: "Daemon not running, or a server refuses and will do so again, such as with HTTP 404."
        case .software: "Internal error."
        case .cannotCreate: "Cannot create output."
        case .ioError: "I/O error."
        case .tryAgain: "Temporary failure, such as a timeout or HTTP 503; try again later."
        case .protocolFault: "Protocol error."
        case .noPermission: "Permission denied."
        case .configuration: "Invalid configuration."
        }
    }

    /// The status for several failures: a permanent failure outweighs a temporary one. The first of equals wins.
    public static func gravest(_ first: ExitStatus, _ second: ExitStatus) -> ExitStatus {
        second.gravity > first.gravity ? second : first
    }

    /// The status for the failed feeds of a refresh: `unavailable` only if all their servers refuse permanently.
    public static func ofRefresh(_ failures: [ExitStatus]) -> ExitStatus {
        if failures.isEmpty { return .success }
        return failures.allSatisfy { $0 == .unavailable } ? .unavailable : .tryAgain
    }

    private var gravity: Int {
        switch self {
        case .success, .stopped, .replaced: 0
        case .tryAgain: 1
        case .unavailable: 2
        case .usage, .badData, .noInput, .software, .cannotCreate, .ioError, .protocolFault, .noPermission,
            .configuration:
            3
        }
    }
}

/// A failure of a program: a message for stderr, and the exit status.
public struct ToolFailure: Error, Equatable {
    public var status: ExitStatus
    /// One line, without the program's name.
    public var message: String
    /// Further errors of the same kind, such as other lines of a file, each in one line.
    public var further: [String] = []
    /// Possible meanings of an ambiguous name, printed as rows after the message.
    var candidates: [NamedCandidate]
    public var hint: String?

    public init(_ status: ExitStatus, _ message: String, candidates: [NamedCandidate] = [], hint: String? = nil) {
        self.status = status
        self.message = message
        self.candidates = candidates
        self.hint = hint
    }

    /// A command line that cannot be carried out.
    public static func usage(_ message: String, hint: String? = nil) -> ToolFailure {
        ToolFailure(.usage, message, hint: hint)
    }

    /// Runs a body; its error becomes the message of a failure.
    ///
    /// - Parameter subject: what the message begins with, before a colon (default: the message is the error alone).
    @discardableResult
    public static func wrapping<Value: ~Copyable>(
        _ status: ExitStatus, subject: String? = nil, hint: String? = nil, _ body: () throws -> Value
    ) throws(ToolFailure) -> Value {
        do {
            return try body()
        } catch {
            let isMissing = (error as? SystemError)?.missingPackage != nil
            throw ToolFailure(
                status, (subject.map { "\($0): " } ?? "") + "\(error)", hint: isMissing ? nil : hint)
        }
    }

    /// One line of JSON: `{"error":{"what":…,"hint":…,"status":66}}`.
    var json: String {
        let hint = hint.map { ",\"hint\":\(Self.quoted($0))" } ?? ""
        var rows = ""
        for object in candidates {
            rows += rows.isEmpty ? ",\"candidates\":[" : ","
            let published = object.published.map { "\"\($0)\"" } ?? "null"
            rows += "{\"kind\":\(Self.quoted(object.kind)),\"id\":\(object.id),\"title\":\(Self.quoted(object.title))"
            let feed = object.feedTitle.map(Self.quoted) ?? "null"
            rows += ",\"feedTitle\":\(feed),\"published\":\(published)}"
        }
        if !rows.isEmpty { rows += "]" }
        let what = ([message] + further).joinedText("; ")
        return "{\"error\":{\"what\":\(Self.quoted(what))\(hint)\(rows),\"status\":\(status.rawValue)}}"
    }

    /// A JSON string. Control characters are removed before, so only quotes and backslashes need an escape.
    private static func quoted(_ text: String) -> String { SafeText.line(text).quoted }

    /// A line for each feed or episode that matches an ambiguous name.
    /// - Parameter indent: columns before each line; ignored for a screen reader.
    public static func lines(of candidates: [NamedCandidate], on output: ToolOutput, indent: Int) -> [String] {
        let rows = candidates.map {
            [$0.label, $0.title, $0.feedTitle ?? "", $0.published.map(ShownTime.day) ?? ""]
        }
        let columns: [ColumnLayout.Column] = [
            .init("", .right), .init(minimum: 16), .init(minimum: 8, dropRank: 2), .init(dropRank: 1),
        ]
        let layout = ColumnLayout(columns)
        if output.isSpoken { return layout.sentences(rows) }
        let margin = String(repeating: " ", count: indent)
        return layout.lines(rows, width: output.terminalWidth.map { $0 - indent }).map { margin + $0 }
    }
}
