import ControlLanguage
import PodcastModel

@testable import MPDGateway

/// Clients of MPD's protocol: lines, of which each command fails, succeeds or searches, with changes between them.
enum MPDFuzz {
    private static let songs = [
        MPDSong(
            uri: "Show/e1.mp3", title: "One", show: "Show", number: 1, published: Timestamp(seconds: 1_700_000_000),
            duration: MediaTime(seconds: 60)),
        MPDSong(uri: "Other/e2.m4a", title: "Ü \"2\"", show: "Other", published: Timestamp(seconds: 0), note: "x"),
    ]

    static func run(_ input: FuzzInput) {
        var input = input
        var conversation = MPDConversation()
        var changes = input.number(UInt32.self)
        var pending: [MPDConversation.Action] = []
        func take(_ actions: [MPDConversation.Action]) {
            pending += actions
            while !pending.isEmpty {
                switch pending.removeFirst() {
                case .send(let bytes): check(bytes)
                case .close: require(!conversation.canReceive, "a line would be taken after the end")
                case .run(let request):
                    require(!conversation.canReceive, "two commands at once")
                    pending += conversation.finished(answer(request))
                }
            }
        }
        for line in input.rest.split(separator: 0x0A, omittingEmptySubsequences: false) {
            guard conversation.canReceive else { break }
            Array(line).withUnsafeBytes { bytes in take(conversation.receive(bytes)) }
            if changes & 1 == 1 {
                let subsystems = MPDSubsystem.allCases.enumerated().filter { changes >> $0.offset & 1 == 1 }
                take(conversation.changed(Set(subsystems.map(\.element))))
            }
            changes = changes >> 1
        }
    }

    /// Every piece of an answer consists of whole lines.
    private static func check(_ bytes: [UInt8]) {
        require(bytes.isEmpty || bytes.last == 0x0A, "a line without its end")
        require(String(validating: bytes, as: UTF8.self) != nil, "a line is not UTF-8")
    }

    private static func answer(_ request: MPDRequest) -> Result<MPDAnswer, MPDError> {
        do throws(MPDError) {
            var answer = MPDAnswer()
            switch try MPDCommand(request, allowed: .admin).name {
            case "find", "search", "count", "list":
                var arguments = request.arguments
                _ = try MPDGrouping(takingFrom: &arguments)
                let selection = try MPDSelection(arguments, isSearch: request.command == "search")
                let found = songs.filter { selection.filter.matches($0, foldsCase: selection.foldsCase) }
                for song in selection.ordered(found) { song.write(MPDTagSet(), to: &answer) }
            case "tagtypes" where !request.arguments.isEmpty:
                var tags = MPDTagSet()
                try tags.change(request.arguments)
            case "seekcur": _ = try MPDArgument.seek(request.arguments[0])
            case "delete", "playlistinfo":
                for argument in request.arguments {
                    let range = try MPDArgument.range(argument).clamped(to: 7)
                    require(range.lowerBound >= 0 && range.upperBound <= 7, "a range outside of the queue")
                }
            case "addid":
                for argument in request.arguments.dropFirst() {
                    let index = try MPDArgument.position(argument).index(current: 3, count: 7)
                    require(index.map { (0...7).contains($0) } ?? true, "a position outside of the queue")
                }
            default: for argument in request.arguments { answer.add("argument", argument) }
            }
            return .success(answer)
        } catch {
            return .failure(error)
        }
    }
}
