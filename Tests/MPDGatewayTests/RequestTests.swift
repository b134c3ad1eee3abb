import ControlLanguage
import PodcastModel
import TestSupport
import Testing

@testable import MPDGateway

@Suite struct RequestTests {
    private func request(_ line: String) -> MPDRequest { MPDRequest(line: line.utf8) }

    /// The command and its arguments; nothing if there is a fault.
    private func words(_ line: String) -> [String] {
        let request = request(line)
        return request.fault == nil ? [request.command] + request.arguments : []
    }

    @Test func wordsAreSplitAtBlanksAndInQuotes() {
        expectEqual(words("play 3"), ["play", "3"])
        expectEqual(words("ping\r"), ["ping"])
        expectEqual(words(#"add "Evening News/e3.mp3"  +0"#), ["add", "Evening News/e3.mp3", "+0"])
        expectEqual(words(#"find title "say \"hi\" \\ now""#), ["find", "title", #"say "hi" \ now"#])
        expectEqual(words(#"update """#), ["update", ""])
    }

    @Test(arguments: [
        (#"add "open"#, "Missing closing '\"'"), (#"add "a"b"#, "Space expected after closing '\"'"),
        (#"add a"b"#, "Invalid unquoted character"), (#"add "a\"#, "Missing closing '\"'"),
    ])
    func whatIsWrongIsSaidAsByMPD(_ line: String, _ text: String) { expectEqual(request(line).fault?.text, text) }

    @Test func argumentsAreTextAndNotTooMany() {
        expectEqual(MPDRequest(line: Array("add ".utf8) + [0xC3, 0x28]).fault?.code, .argument)
        expectEqual(MPDRequest(line: Array("add a".utf8) + [0]).arguments, ["a"])
        expectEqual(request("find " + String(repeating: "x ", count: 64)).fault, nil)
        expectEqual(request("find " + String(repeating: "x ", count: 65)).fault?.code, .argument)
        expectEqual(words("pl\u{1}ay"), ["pl", "ay"])
    }

    @Test func commandsKnowTheirArgumentsAndPermissions() throws {
        func failure(_ line: String, _ allowed: CommandDeclaration.Permission? = .control) -> MPDError? {
            do throws(MPDError) {
                _ = try MPDCommand(request(line), allowed: allowed)
                return nil
            } catch {
                return error
            }
        }
        expectEqual(failure("play 1"), nil)
        expectEqual(failure("play 1 2"), MPDError(.argument, #"too many arguments for "play""#))
        expectEqual(failure("seek 1"), MPDError(.argument, #"too few arguments for "seek""#))
        expectEqual(failure("dance"), MPDError(.unknownCommand, #"unknown command "dance""#))
        expectEqual(failure("play", .read)?.code, .permission)
        expectEqual(failure("status", nil)?.code, .permission)
        #expect(failure("ping", nil) == nil && failure("password x", nil) == nil)
    }

    @Test func numbersRangesAndTimes() throws {
        try expectEqual(MPDArgument.range("2:5"), MPDRange(2, 5))
        try expectEqual(MPDArgument.range("2:"), MPDRange(2, nil))
        try expectEqual(MPDArgument.range("4"), MPDRange(4, 5))
        try expectEqual(MPDArgument.range("-1"), .all)
        #expect(throws: MPDError(.argument, "Bad song index")) { try MPDArgument.range("5:2") }
        #expect(throws: MPDError(.argument, "Integer expected: x")) { try MPDArgument.range("x") }
        #expect(throws: MPDError(.argument, "Boolean (0/1) expected: yes")) { try MPDArgument.flag("yes") }
        expectEqual(MPDRange(2, 9).clamped(to: 4), 2..<4)
        #expect(MPDRange(7, nil).clamped(to: 4).isEmpty)
        try expectEqual(MPDArgument.seek("+2.5"), .relative(.init(seconds: 2.5)))
        try expectEqual(MPDArgument.seek("-2"), .relative(.init(seconds: -2)))
        try expectEqual(MPDArgument.seek("90"), .absolute(.init(seconds: 90)))
        for bad in ["nan", "inf", "-", "+-3", "1e99"] { #expect(throws: MPDError.self) { try MPDArgument.seek(bad) } }
        try expectEqual(MPDArgument.position("+0").index(current: 3, count: 9), 4)
        try expectEqual(MPDArgument.position("-0").index(current: 3, count: 9), 3)
        try expectEqual(MPDArgument.position("+0").index(current: nil, count: 9), nil)
        try expectEqual(MPDArgument.position("10").index(current: nil, count: 9), nil)
    }
}
