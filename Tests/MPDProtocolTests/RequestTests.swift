import ControlLanguage
import MPDProtocol
import PodcastModel
import Testing

@Suite struct RequestTests {
    private func request(_ line: String) -> MPDRequest { MPDRequest(line: line.utf8) }

    @Test func wordsAreSplitAtBlanksAndInQuotes() {
        #expect(request("play 3") == MPDRequest("play", ["3"]))
        #expect(request("ping\r") == MPDRequest("ping"))
        #expect(request("  ").fault?.code == .unknownCommand)
        #expect(request(#"add "Evening News/e3.mp3"  +0"#) == MPDRequest("add", ["Evening News/e3.mp3", "+0"]))
        #expect(request(#"find title "say \"hi\" \\ now""#) == MPDRequest("find", ["title", #"say "hi" \ now"#]))
        #expect(request(#"update """#) == MPDRequest("update", [""]))
    }

    @Test(arguments: [
        (#"add "open"#, "Missing closing '\"'"), (#"add "a"b"#, "Space expected after closing '\"'"),
        (#"add a"b"#, "Invalid unquoted character"), (#"add "a\"#, "Missing closing '\"'"),
    ])
    func whatIsWrongIsSaidAsByMPD(_ line: String, _ text: String) { #expect(request(line).fault?.text == text) }

    @Test func argumentsAreTextAndNotTooMany() {
        #expect(MPDRequest(line: Array("add ".utf8) + [0xC3, 0x28]).fault?.code == .argument)
        #expect(MPDRequest(line: Array("add a".utf8) + [0]).arguments == ["a"])
        #expect(request("find " + String(repeating: "x ", count: 64)).fault == nil)
        #expect(request("find " + String(repeating: "x ", count: 65)).fault?.code == .argument)
        #expect(request("pl\u{1}ay").fault?.code == nil || request("pl\u{1}ay").command == "pl")
        #expect(request("plä y").fault?.code == .unknownCommand)
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
        #expect(failure("play 1") == nil)
        #expect(failure("play 1 2") == MPDError(.argument, #"too many arguments for "play""#))
        #expect(failure("seek 1") == MPDError(.argument, #"too few arguments for "seek""#))
        #expect(failure("dance") == MPDError(.unknownCommand, #"unknown command "dance""#))
        #expect(failure("play", .read)?.code == .permission)
        #expect(failure("status", nil)?.code == .permission)
        #expect(failure("ping", nil) == nil && failure("password x", nil) == nil)
        #expect(failure("consume 1")?.code == .permission && failure("consume 1", .admin) == nil)
    }

    @Test func numbersRangesAndTimes() throws {
        #expect(try MPDArgument.range("2:5") == MPDRange(2, 5))
        #expect(try MPDArgument.range("2:") == MPDRange(2, nil))
        #expect(try MPDArgument.range("4") == MPDRange(4, 5))
        #expect(try MPDArgument.range("-1") == .all)
        #expect(throws: MPDError(.argument, "Bad song index")) { try MPDArgument.range("5:2") }
        #expect(throws: MPDError(.argument, "Integer expected: x")) { try MPDArgument.range("x") }
        #expect(throws: MPDError(.argument, "Boolean (0/1) expected: yes")) { try MPDArgument.flag("yes") }
        #expect(MPDRange(2, 9).clamped(to: 4) == 2..<4)
        #expect(MPDRange(7, nil).clamped(to: 4).isEmpty)
        #expect(try MPDArgument.seek("+2.5") == .relative(.init(seconds: 2.5)))
        #expect(try MPDArgument.seek("-2") == .relative(.init(seconds: -2)))
        #expect(try MPDArgument.seek("90") == .absolute(.init(seconds: 90)))
        for bad in ["nan", "inf", "-", "+-3", "1e99"] { #expect(throws: MPDError.self) { try MPDArgument.seek(bad) } }
        #expect(try MPDArgument.position("+0").index(current: 3, count: 9) == 4)
        #expect(try MPDArgument.position("-0").index(current: 3, count: 9) == 3)
        #expect(try MPDArgument.position("+0").index(current: nil, count: 9) == nil)
        #expect(try MPDArgument.position("10").index(current: nil, count: 9) == nil)
    }
}
