import ControlLanguage
import JSON
import Testing
import TestSupport

private func incoming(_ text: String) throws(ControlError) -> Incoming {
    var text = text
    let result = text.withUTF8 { bytes in
        Result { () throws(ControlError) in try Incoming(line: UnsafeRawBufferPointer(bytes)) }
    }
    return try result.get()
}

private func single(_ text: String) throws -> Result<Request, Request.Malformed> {
    guard case .single(let request) = try incoming(text) else {
        Issue.record("not a single request")
        throw ControlError(.internalError, "")
    }
    return request
}

@Suite struct CodecTests {
    @Test(arguments: [
        (#""id":1,"#, JSONValue?.some(.integer(1))), (#""id":"a-b","#, .string("a-b")), (#""id":null,"#, .null),
        (#""id":1.5,"#, .number(1.5)), ("", nil),
    ])
    func anIDIsANumberATextOrNull(member: String, id: JSONValue?) throws {
        let request = try single(#"{"jsonrpc":"2.0",\#(member)"method":"status.get"}"#)
        expectEqual(request, .success(Request(id: id, method: "status.get")))
    }

    @Test func aRequestKeepsItsParameters() throws {
        let request = try single(#"{"jsonrpc":"2.0","method":"a.b","params":{"x":[1,true]},"extra":1}"#)
        expectEqual(request, .success(Request(id: nil, method: "a.b", params: ["x": [1, true]])))
    }

    @Test(arguments: [
        ("1", JSONValue.null), (#""text""#, .null), ("null", .null), (#"{"jsonrpc":"2.0","id":4}"#, .integer(4)),
        (#"{"id":7,"method":"a.b"}"#, .integer(7)), (#"{"jsonrpc":"1.0","id":7,"method":"a.b"}"#, .integer(7)),
        (#"{"jsonrpc":"2.0","id":[1],"method":"a.b"}"#, .null), (#"{"jsonrpc":"2.0","id":3,"method":5}"#, .integer(3)),
    ])
    func whatIsNoRequestIsAnsweredAsFarAsItsIDCanBeRead(text: String, id: JSONValue) throws {
        guard case .failure(let malformed) = try single(text) else {
            Issue.record("\(text) was taken for a request")
            return
        }
        expectEqual(malformed.id, id)
        expectEqual(malformed.error.code, .invalidRequest)
    }

    @Test(arguments: ["", "{", "{]", "nul", #"{"a":1,"a":2}"#, "\u{0}", "{\"a\":\"\u{1}\"}", "{} {}"])
    func whatIsNoJSONIsAParseError(text: String) {
        #expect(throws: ControlError.self) { try incoming(text) }
        do throws(ControlError) { _ = try incoming(text) } catch { expectEqual(error.code, .parseError) }
    }

    @Test func deepNestingIsRefused() throws {
        let deep = String(repeating: "[", count: 65) + String(repeating: "]", count: 65)
        do throws(ControlError) {
            _ = try incoming(#"{"jsonrpc":"2.0","method":"a.b","params":\#(deep)}"#)
            Issue.record("deep nesting was accepted")
        } catch {
            expectEqual(error.code, .parseError)
        }
    }

    @Test func invalidUTF8IsAParseError() {
        let bytes: [UInt8] = Array(#"{"a":""#.utf8) + [0xFF, 0xFE] + Array(#""}"#.utf8)
        bytes.withUnsafeBytes { line in
            do throws(ControlError) {
                _ = try Incoming(line: line)
                Issue.record("invalid UTF-8 was accepted")
            } catch {
                expectEqual(error.code, .parseError)
            }
        }
    }

    @Test func batchesAreBounded() throws {
        let one = #"{"jsonrpc":"2.0","method":"a.b"}"#
        func batch(_ count: Int) -> String { "[" + Array(repeating: one, count: count).joined(separator: ",") + "]" }
        guard case .batch(let requests) = try incoming(batch(100)) else {
            Issue.record("no batch")
            return
        }
        expectEqual(requests.count, 100)
        #expect(throws: ControlError.self) { try incoming(batch(101)) }
        #expect(throws: ControlError.self) { try incoming("[]") }
    }

    @Test func aRequestIsWrittenAsItIsRead() throws {
        let request = Request(id: .string("é\n"), method: "a.b", params: ["x": 1])
        var bytes: [UInt8] = []
        request.write(to: &bytes)
        expectEqual(bytes.last, 0x0A)
        #expect(!bytes.dropLast().contains(0x0A))
        try expectEqual(single(String(decoding: bytes, as: UTF8.self)), .success(request))
    }

    @Test func helloTellsServerVersionProtocolAndPermission() throws {
        let line = String(decoding: Outgoing.hello(version: "1.2", permission: .control), as: UTF8.self)
        expectEqual(
            line,
            #"{"jsonrpc":"2.0","method":"hello","params":{"server":"podcastd","version":"1.2","protocol":1,"permission":"control"}}"#
                + "\n")
    }

    @Test func anErrorSaysWhatAndWhatToDo() {
        let error = ControlError(.notFound, "no such feed", hint: "look")
        expectEqual(error.json, ["code": 1, "message": "Not found", "data": ["what": "no such feed", "hint": "look"]])
        expectEqual(ControlError(json: error.json), error)
        expectEqual(ControlError(json: ["code": -1, "message": "x"]), ControlError(.internalError, "x"))
    }
}
