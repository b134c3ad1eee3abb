import JSON
import Testing
import TestSupport

@Suite struct JSONValueTests {
    @Test func aDocumentIsUnchangedByReadingAndWriting() throws {
        let text = #"{"b":[1,-2,3.5,true,false,null],"a":{"name":"Größe \"x\" \\ \u0001"},"empty":{},"none":[]}"#
        try expectEqual(JSONValue(parsing: text).text, text)
    }

    @Test func spacesAndEscapesOfOtherWritersAreRead() throws {
        let text = " {\r\n\t\"a\" : [ 1 , 2e3 , -0.5E-1 ] ,\"\\u00e9\\/\\b\\f\": \"\\ud83c\\udf99\\t\" } "
        let value: JSONValue = ["a": [1, 2000.0, -0.05], "é/\u{8}\u{C}": "🎙\t"]
        try expectEqual(JSONValue(parsing: text), value)
    }

    @Test func millisecondsWrittenAsSecondsAreExact() throws {
        for milliseconds in [1, 12_345, 3_599_999, 86_399_001] {
            let value = JSONValue.number(Double(milliseconds) / 1000)
            let text = value.text
            try expectEqual(JSONValue(parsing: text).numberValue, Double(milliseconds) / 1000)
            #expect(text.count <= 9, "\(text)")
        }
    }

    @Test func numbersAreWrittenWithTheFewestDigits() {
        for (number, text) in [
            (1.0, "1.0"), (-1.0, "-1.0"), (0.0, "0.0"), (-0.0, "-0.0"), (0.001, "0.001"), (-0.001, "-0.001"),
            (0.01, "0.01"),
            (0.1, "0.1"), (0.5, "0.5"), (1.25, "1.25"), (1.002, "1.002"), (-12_345.678, "-12345.678"),
            (999_999_999_999.999, "999999999999.999"), (1_700_000_000.25, "1700000000.25"), (0.0005, "0.0005"),
            (1.0005, "1.0005"), (1e16, "1e+16"), (0.1 + 0.2, "0.30000000000000004"),
        ] as [(Double, String)] {
            expectEqual(JSONValue.number(number).text, text)
        }
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":1,\"a\":2}", "nul", "\"\u{1}\"", "[1] x", "\"\\ud800\"", "1e999", "{a:1}",
        "99999999999999999999", "01", "-", "+1", "1.", ".5", "1e", "1e+", "tru", "[1", "{\"a\"", "{\"a\":",
        "{\"a\":1,}", "\"\\x\"", "\"\\u12\"", "\"\\ud800\\u0041\"", "\"\\", "{\"\\u0061\":1,\"a\":2}",
    ])
    func invalidJSONIsRejected(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test func aLongObjectHasNoNameTwice() throws {
        let members = (0..<40).map { JSONValue.Member("\($0)", .null) }
        _ = try JSONValue(parsing: JSONValue.object(members).text)
        #expect(throws: JSONError.self) { try JSONValue(parsing: JSONValue.object(members + [members[7]]).text) }
    }

    @Test func anErrorHasItsPlace() {
        let error = #expect(throws: JSONError.self) { try JSONValue(parsing: "{\"a\": [1, x]}") }
        expectEqual(error?.description, "a value is expected at byte 10")
    }

    @Test(arguments: [
        Double.greatestFiniteMagnitude, -Double.greatestFiniteMagnitude, 1.7976931348623e308, 1e308, 1e-300,
    ])
    func theLargestNumbersReadBack(_ number: Double) throws {
        let read = try #require(try JSONValue(parsing: JSONValue.number(number).text).numberValue)
        expectEqual(read, number)
    }

    @Test(arguments: [Int64.min, -1, 0, 999_999_999_999_999_999, Int64.max])
    func wholeNumbersReadBack(_ number: Int64) throws {
        try expectEqual(JSONValue(parsing: JSONValue.integer(number).text), .integer(number))
    }

    @Test func nestingIsCounted() {
        expectEqual(JSONValue.string("x").nesting, 0)
        expectEqual(JSONValue.array([]).nesting, 1)
        expectEqual(JSONValue.object([.init("a", [[1]]), .init("b", 2)]).nesting, 3)
    }

    @Test func nestingIsBounded() throws {
        let fits = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try JSONValue(parsing: fits)
        let deep = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: deep) }
        let inString = "\"" + String(repeating: "[", count: 1000) + "\\\"[\""
        _ = try JSONValue(parsing: inString)
    }

    @Test func invalidUTF8IsRefused() {
        let bytes: [UInt8] = [0x22, 0xFF, 0xFE, 0x22]
        #expect(throws: JSONError.self) { try bytes.withUnsafeBytes { try JSONValue(parsing: $0) } }
    }

    @Test func membersAreFoundByNameAndKindsAreNotMixedUp() throws {
        let value = try JSONValue(parsing: #"{"n":2.0,"s":"x","t":true,"l":[1],"i":7}"#)
        expectEqual(value["n"]?.integerValue, 2)
        expectEqual(value["i"]?.numberValue, 7)
        expectEqual(value["s"]?.stringValue, "x")
        expectEqual(value["t"]?.boolValue, true)
        expectEqual(value["l"]?.arrayValue, [1])
        expectEqual(value["s"]?.integerValue, nil)
        expectEqual(value["missing"], nil)
    }

    @Test func aNulInsideAStringIsKept() throws {
        try expectEqual(JSONValue(parsing: #""a\u0000b""#).stringValue, "a\0b")
    }
}
