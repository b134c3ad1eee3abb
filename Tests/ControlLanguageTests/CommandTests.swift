import ControlLanguage
import JSON
import PodcastModel
import Testing
import TestSupport

/// One parameter of every kind.
private struct TakeEverything: Command {
    enum Letter: String, ParameterChoice {
        case a
        case b
    }

    var text = ""
    var note: String?
    var letter = Letter.a
    var optionalLetter: Letter?
    var letters: [Letter]?
    var integer: Int?
    var count = 7
    var number: Double?
    var time: TimeArgument?
    var flag = false
    var what: String?
    var list: [String] = []
    var optionalList: [String]?
    var object: JSONValue?

    static let form = CommandForm<Self, EmptyReply>(Self(), "test.all", "One of everything.", .read)
    mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare("text", &text, isRequired: true, help: "Some text.")
        parameters.declare("note", &note, .text(maximumBytes: 10), help: "")
        parameters.declare("choice", &letter, help: "")
        parameters.declare("optionalChoice", &optionalLetter, help: "")
        parameters.declare("choices", &letters, help: "")
        parameters.declare("integer", &integer, .integer(1...10), help: "")
        parameters.declare("count", &count, .integer(1...10), spelling: .option, help: "")
        parameters.declare("number", &number, .number(0...1), help: "")
        parameters.declare("time", &time, help: "")
        parameters.declare("flag", &flag, help: "")
        parameters.declare("what", &what, .what, help: "")
        parameters.declare("list", &list, .list(.what), help: "")
        parameters.declare("optionalList", &optionalList, .list(.string), help: "")
        parameters.declare("object", &object, help: "")
    }
}

private struct TakeNothing: Command {
    static let form = CommandForm<Self, EmptyReply>(Self(), "test.none", "Nothing.", .read)
}

private func error(_ params: JSONValue?) -> ControlError? {
    do throws(ControlError) {
        _ = try TakeEverything(params: params)
        return nil
    } catch {
        return error
    }
}

@Suite struct CommandTests {
    @Test func parametersAreReadByName() throws {
        let request = try TakeEverything(params: [
            "text": "x", "note": "0123456789", "choice": "b", "optionalChoice": "a", "choices": ["b", "a"],
            "integer": 10, "count": 3, "number": 1, "time": "+1:30", "flag": true, "what": 42, "list": ["a", 7],
            "optionalList": [], "object": ["k": 1],
        ])
        let expected = TakeEverything {
            ($0.text, $0.note, $0.letter, $0.optionalLetter) = ("x", "0123456789", .b, .a)
            ($0.letters, $0.integer, $0.count, $0.number) = ([.b, .a], 10, 3, 1)
            ($0.time, $0.flag, $0.what) = (.relative(MediaTime(milliseconds: 90_000)), true, "42")
            ($0.list, $0.optionalList, $0.object) = (["a", "7"], [], ["k": 1])
        }
        expectEqual(request, expected)
    }

    @Test func aParameterThatIsLeftOutKeepsItsInitialValue() throws {
        try expectEqual(TakeEverything(params: ["text": "x", "integer": nil]), TakeEverything { $0.text = "x" })
    }

    @Test func anArrayGivesParametersInDeclaredOrder() throws {
        let request = try TakeEverything(params: ["x", nil, "b", nil, nil, 3])
        let expected = TakeEverything { ($0.text, $0.letter, $0.integer) = ("x", .b, 3) }
        expectEqual(request, expected)
    }

    @Test(
        arguments: [
            nil, [:], ["text": nil], ["text": 1], ["text": "x", "txet": 1], ["text": "x", "integer": 1.5],
            ["text": "x", "integer": "1"], ["text": "x", "flag": 1], ["text": "x", "choice": 1],
            ["text": "x", "choices": "a"], ["text": "x", "list": "a"], ["text": "x", "list": [nil]],
            ["text": "x", "object": []], ["text": "x", "time": true], ["text": "x", "what": -1], "text", 1, true,
            .array(Array(repeating: nil, count: 15)),
        ] as [JSONValue?])
    func unknownNamesAndWrongTypesAreInvalidParameters(params: JSONValue?) {
        expectEqual(error(params)?.code, .invalidParameters)
    }

    @Test(
        arguments: [
            ["text": "x", "note": "01234567890"], ["text": "x", "choice": "c"], ["text": "x", "choices": ["c"]],
            ["text": "x", "integer": 0], ["text": "x", "integer": 11], ["text": "x", "number": 1.01],
            ["text": "x", "time": "soon"], ["text": "x", "time": -1], ["text": "x", "time": 1e9],
            ["text": "x", "what": ""],
        ] as [JSONValue])
    func valuesOutOfRangeAreInvalidArguments(params: JSONValue) {
        expectEqual(error(params)?.code, .invalidArgument)
    }

    @Test(
        arguments: [
            ("text", "params is not an object", "it has text, note"), ([:], "test.all needs text", "text: Some text."),
            (["txet": 1], "test.all has no parameter txet", "it has text, note"),
            // A name that is unknown is reported before a value that is wrong.
            (["text": 1, "txet": 1], "test.all has no parameter txet", "it has text, note"),
            (["text": 1, "integer": 0], "text has a wrong type", "it must be text"),
            (["text": "", "integer": 0], "integer is out of range", "it must be a whole number from 1 to 10"),
            (["text": "", "choice": "c"], "choice cannot be c", "use one of a, b"),
            (.array(Array(repeating: nil, count: 15)), "test.all has too many parameters", "it has text, note"),
        ] as [(JSONValue, String, String)])
    func aRefusalNamesTheParameterAndWhatItMayBe(params: JSONValue, what: String, hint: String) {
        expectEqual(error(params)?.what, what)
        expectEqual(error(params)?.hint?.hasPrefix(hint), true)
    }

    @Test func listsAndTextsAreBounded() {
        func list(_ count: Int) -> JSONValue { ["text": "x", "list": .array(Array(repeating: "a", count: count))] }
        expectEqual(error(list(1000)), nil)
        expectEqual(error(list(1001))?.code, .invalidArgument)
        expectEqual(error(["text": .string(String(repeating: "é", count: 2048))]), nil)
        expectEqual(error(["text": .string(String(repeating: "é", count: 2049))])?.code, .invalidArgument)
    }

    @Test func aCommandWithoutParametersTakesNone() throws {
        try expectEqual(TakeNothing(params: nil), TakeNothing())
        try expectEqual(TakeNothing(params: [:]), TakeNothing())
        try expectEqual(TakeNothing(params: []), TakeNothing())
        #expect(throws: ControlError.self) { try TakeNothing(params: ["x": 1]) }
        #expect(throws: ControlError.self) { try TakeNothing(params: [1]) }
        #expect(throws: ControlError.self) { try TakeNothing(params: 1) }
        expectEqual(TakeNothing().params, nil)
    }

    @Test(
        arguments: [
            "1.5", "90", "+90", "-15", "+0.25", "-3661.007",
        ])
    func timesAreWrittenAsTheyAreRead(text: String) throws {
        let request = TakeEverything { $0.time = TimeArgument(parsing: text) }
        #expect(request.time != nil)
        try expectEqual(TakeEverything(params: request.params), request)
    }

    @Test func timesMayBeNumbers() throws {
        try expectEqual(
            TakeEverything(params: ["text": "", "time": 1.5]).time, .absolute(MediaTime(milliseconds: 1500)))
        try expectEqual(
            TakeEverything(params: ["text": "", "time": 90]).time, .absolute(MediaTime(milliseconds: 90_000)))
    }

    @Test func whatAClientWritesTheServerReads() throws {
        let request = TakeEverything {
            ($0.text, $0.note, $0.letter, $0.optionalLetter) = ("x", "y", .b, .b)
            ($0.letters, $0.integer, $0.count, $0.number) = ([.a], 1, 2, 0.5)
            ($0.time, $0.flag, $0.what) = (.absolute(MediaTime(milliseconds: 1_500)), true, "w")
            ($0.list, $0.optionalList, $0.object) = (["l"], [], ["k": nil])
        }
        try expectEqual(TakeEverything(params: request.params), request)
        expectEqual(TakeEverything { $0.text = "x" }.params, ["text": "x", "choice": "a", "count": 7])
    }

    @Test func theDeclarationHasKindDefaultAndSpelling() {
        let parameters = TakeEverything.declaration.parameters
        expectEqual(
            parameters.map(\.kind),
            [
                .string, .text(maximumBytes: 10), .choice(["a", "b"]), .choice(["a", "b"]),
                .list(.choice(["a", "b"])), .integer(1...10), .integer(1...10), .number(0...1), .time, .flag, .what,
                .list(.what), .list(.string), .object,
            ])
        expectEqual(parameters.map(\.isRequired), [true] + Array(repeating: false, count: 13))
        expectEqual(
            parameters.map(\.defaultValue),
            [
                nil, nil, "a", nil, nil, nil, 7, nil, nil, false, nil, [], nil, nil,
            ])
        expectEqual(parameters.filter { $0.spelling == .option }.map(\.name), ["count", "flag"])
    }

    @Test func aPartialRequestMayLackWhatIsRequiredButNothingElse() throws {
        try expectEqual(TakeEverything(partial: ["count": 3]), TakeEverything { $0.count = 3 })
        #expect(throws: ControlError.self) { try TakeEverything(partial: ["count": 11]) }
        #expect(throws: ControlError.self) { try TakeEverything(partial: ["txet": 1]) }
    }
}
