internal import ControlLanguage
internal import PodcastModel

/// The lines of an answer. No value can begin another line.
struct MPDAnswer {
    private(set) var bytes: [UInt8] = []

    /// `NAME: TEXT`. Control characters of the text are removed.
    mutating func add(_ name: String, _ value: some CustomStringConvertible) {
        write(name + ": ", cleaned: value.description)
    }

    mutating func add(_ lines: [(String, String)]) { for (name, text) in lines { add(name, text) } }

    /// Seconds with three decimals.
    mutating func add(_ name: String, _ time: MediaTime) { add(name, time.inThousandths) }

    /// A piece of a file: `binary: COUNT`, the bytes, a line break.
    mutating func add(binary piece: ArraySlice<UInt8>) {
        add("binary", piece.count)
        bytes += piece
        bytes.append(0x0A)
    }

    mutating func write(_ prefix: String, cleaned text: String) {
        bytes += prefix.utf8
        bytes += SafeText.line(text).utf8
        bytes.append(0x0A)
    }
}

extension MediaTime {
    /// `12.345`.
    fileprivate var inThousandths: String {
        let thousandths = max(0, nanoseconds / 1_000_000)
        let rest = String(thousandths % 1000)
        return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }
}

/// An error as its `ACK` line gives it.
struct MPDError: Error, Equatable {
    /// `src/protocol/Ack.hxx` of MPD.
    enum Code: Int {
        case notList = 1
        case argument = 2
        case password = 3
        case permission = 4
        case unknownCommand = 5
        case noSuchObject = 50
        case system = 52
        case playerSync = 55
        case exists = 56
    }

    var code: Code
    var text: String

    init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    /// The daemon's error without its hint: clients of MPD show one line.
    init(_ error: ControlError) {
        let code: Code =
            switch error.code {
            case .notFound: .noSuchObject
            case .notPermitted: .permission
            case .invalidArgument, .invalidParameters: .argument
            case .conflict: .playerSync
            case .parseError, .invalidRequest, .methodNotFound, .internalError, .unavailable, .mediaFailed, .feedFailed,
                .storageFailed:
                .system
            }
        self.init(code, error.what)
    }

    static func argument(_ text: String) -> MPDError { MPDError(.argument, text) }

    static let badIndex = argument("Bad song index")
    static let noSuchSong = MPDError(.noSuchObject, "No such song")
    static let noSuchDirectory = MPDError(.noSuchObject, "No such directory")

    /// The line, with its line break. The index is the place in a command list, from 0; an unknown command is empty.
    func line(index: Int, command: String) -> [UInt8] {
        var answer = MPDAnswer()
        answer.write("ACK [\(code.rawValue)@\(index)] {\(command)} ", cleaned: text)
        return answer.bytes
    }
}
