import ControlProtocol
import JSON
import PodcastModel
import Testing

private let command = CommandDeclaration(
    "test.all", "One of everything.",
    parameters: [
        ParameterDeclaration("text", .string, isRequired: true, help: ""),
        ParameterDeclaration("note", .text(maximumBytes: 10), help: ""),
        ParameterDeclaration("choice", .choice(["a", "b"]), default: "a", help: ""),
        ParameterDeclaration("integer", .integer(1...10), help: ""),
        ParameterDeclaration("number", .number(0...1), default: 0.5, help: ""),
        ParameterDeclaration("time", .time, help: ""), ParameterDeclaration("flag", .flag, default: false, help: ""),
        ParameterDeclaration("what", .what, help: ""), ParameterDeclaration("list", .list(.what), help: ""),
        ParameterDeclaration("object", .object, help: ""),
    ], result: "", permission: .read)

private func code(_ params: JSONValue?) -> ControlError.Code? {
    do throws(ControlError) {
        _ = try Parameters(params, for: command)
        return nil
    } catch {
        return error.code
    }
}

@Suite struct ParametersTests {
    @Test func valuesAreReadByName() throws {
        let parameters = try Parameters(
            [
                "text": "x", "note": "0123456789", "choice": "b", "integer": 10, "number": 1, "time": "+1:30",
                "flag": true, "what": 42, "list": ["a", 7], "object": ["k": 1],
            ], for: command)
        #expect(parameters.text("text") == "x")
        #expect(parameters.text("note") == "0123456789")
        #expect(parameters.text("choice") == "b")
        #expect(parameters.integer("integer") == 10)
        #expect(parameters.number("number") == 1)
        #expect(parameters.time("time") == .relative(MediaTime(milliseconds: 90_000)))
        #expect(parameters.flag("flag"))
        #expect(parameters.text("what") == "42")
        #expect(parameters.texts("list") == ["a", "7"])
        #expect(parameters.object("object") == ["k": 1])
    }

    @Test func whatIsLeftOutHasItsDefault() throws {
        let parameters = try Parameters(["text": "x", "integer": nil], for: command)
        #expect(parameters.text("choice") == "a")
        #expect(parameters.number("number") == 0.5)
        #expect(parameters.flag("flag") == false)
        #expect(parameters.integer("integer") == nil)
        #expect(parameters.texts("list") == [])
        #expect(!parameters.has("list"))
        #expect(parameters.text("neverDeclared") == nil)
    }

    @Test func anArrayGivesThemInDeclaredOrder() throws {
        let parameters = try Parameters(["x", nil, "b", 3], for: command)
        #expect(parameters.text("text") == "x")
        #expect(parameters.text("choice") == "b")
        #expect(parameters.integer("integer") == 3)
    }

    @Test(
        arguments: [
            nil, [:], ["text": nil], ["text": 1], ["text": "x", "txet": 1], ["text": "x", "integer": 1.5],
            ["text": "x", "integer": "1"], ["text": "x", "flag": 1], ["text": "x", "choice": 1],
            ["text": "x", "list": "a"],
            ["text": "x", "list": [nil]], ["text": "x", "object": []], ["text": "x", "time": true],
            ["text": "x", "what": -1],
            "text", 1, true, .array(Array(repeating: nil, count: 11)),
        ] as [JSONValue?])
    func wrongNamesAndTypesAreInvalidParameters(params: JSONValue?) {
        #expect(code(params) == .invalidParameters)
    }

    @Test(
        arguments: [
            ["text": "x", "note": "01234567890"], ["text": "x", "choice": "c"], ["text": "x", "integer": 0],
            ["text": "x", "integer": 11], ["text": "x", "number": 1.01], ["text": "x", "time": "soon"],
            ["text": "x", "time": -1], ["text": "x", "time": 1e9], ["text": "x", "what": ""],
        ] as [JSONValue])
    func valuesOutOfRangeAreInvalidArguments(params: JSONValue) {
        #expect(code(params) == .invalidArgument)
    }

    @Test func listsAndTextsAreBounded() {
        func list(_ count: Int) -> JSONValue { ["text": "x", "list": .array(Array(repeating: "a", count: count))] }
        #expect(code(list(1000)) == nil)
        #expect(code(list(1001)) == .invalidArgument)
        #expect(code(["text": .string(String(repeating: "é", count: 2048))]) == nil)
        #expect(code(["text": .string(String(repeating: "é", count: 2049))]) == .invalidArgument)
    }

    @Test func timesMayBeNumbers() throws {
        #expect(
            try Parameters(["text": "", "time": 1.5], for: command).time("time")
                == .absolute(MediaTime(milliseconds: 1500)))
        #expect(
            try Parameters(["text": "", "time": 90], for: command).time("time")
                == .absolute(MediaTime(milliseconds: 90_000)))
    }

    @Test func aCommandWithoutParametersTakesNone() throws {
        let bare = CommandDeclaration("test.bare", "", result: "", permission: .read)
        #expect(try Parameters(nil, for: bare) == .none)
        #expect(try Parameters([:], for: bare) == .none)
        #expect(throws: ControlError.self) { try Parameters(["x": 1], for: bare) }
        #expect(throws: ControlError.self) { try Parameters([1], for: bare) }
    }
}
