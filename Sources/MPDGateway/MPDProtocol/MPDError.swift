internal import ControlLanguage

/// An error as its `ACK` line gives it.
struct MPDError: Error, Equatable, Sendable {
    /// `src/protocol/Ack.hxx` of MPD.
    enum Code: Int, Sendable {
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

    init(_ code: Code, _ text: String) { (self.code, self.text) = (code, text) }

    /// The daemon's error, with its hint: clients of MPD show one line.
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

    static let badIndex = MPDError(.argument, "Bad song index")
    static let noSuchSong = MPDError(.noSuchObject, "No such song")
    static let noSuchDirectory = MPDError(.noSuchObject, "No such directory")

    /// The line, with its line break.
    ///
    /// - Parameters:
    ///   - index: the command's place in its list, from 0.
    ///   - command: empty if no command is known.
    func line(index: Int, command: String) -> [UInt8] {
        var answer = MPDAnswer()
        answer.write("ACK [\(code.rawValue)@\(index)] {\(command)} ", cleaned: text)
        return answer.bytes
    }
}
