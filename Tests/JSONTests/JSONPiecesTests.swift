import JSON
import TestSupport
import Testing

struct JSONPiecesTests {
    /// The pieces of a document whose bytes arrive in parts of this size, and the fault that ends it.
    private func read(_ text: String, parts: Int) -> (pieces: [JSONPiece], fault: String?) {
        var reader = JSONPieces()
        var (found, rest) = ([JSONPiece](), Array(text.utf8)[...])
        do throws(JSONError) {
            while !rest.isEmpty {
                let result = Array(rest.prefix(parts)).withUnsafeBytes { bytes in
                    Result { () throws(JSONError) in
                        try reader.read(bytes) { piece, _ in
                            found.append(piece)
                            return true
                        }
                    }
                }
                _ = try result.get()
                rest = rest.dropFirst(parts)
            }
            try reader.finish()
            return (found, nil)
        } catch {
            return (found, error.message)
        }
    }

    @Test(arguments: [1, 2, 7, 1000])
    func membersAndElementsAreCutOutWhereverThePartsEnd(parts: Int) {
        let text =
            "\u{FEFF}" + #" {"t" : 12, "x": {"list": [2]}, "list" : [ {"a": "},]\"["}, 3, [4] ,null], "y": [ ]} "#
            + "\n"
        let (pieces, fault) = read(text, parts: parts)
        expectEqual(
            pieces,
            [
                .member("t", 12), .member("x", ["list": [2]]), .element(of: "list", ["a": "},]\"["]),
                .element(of: "list", 3), .element(of: "list", [4]), .element(of: "list", nil),
            ])
        expectEqual(fault, nil)
    }

    @Test func thePiecesBeforeAnEndThatIsMissingArePassedOn() {
        let (pieces, fault) = read("{\"list\":[1,2", parts: 5)
        expectEqual(pieces, [.element(of: "list", 1)])
        expectEqual(fault, "the document breaks off")
    }

    @Test(arguments: [
        "<html>", "[1]", "{}}", "{} {}", #"{"a":[tru]}"#, "]", #""text""#, #"{"a":[1,]}"#, #"{"a":[,1]}"#, #"{"a":1,}"#,
        "{,}", #"{"a":[1 2]}"#, #"{"a":1 "b":2}"#, #"{"a":[1]2}"#, #"{"a":[1]"b":2}"#, #"{"a":[1}}"#, #"{"a":1]"#,
        #"{"a"}"#, "{[1]}", #"{"a":[1][2]}"#,
    ])
    func otherDocumentsAreRefused(text: String) { #expect(read(text, parts: 3).fault != nil) }

    @Test func aPieceThatIsTooLongIsRefused() {
        let fault = read("{\"a\":[\"" + String(repeating: "a", count: 2 << 20), parts: 4096).fault
        expectEqual(fault, "a value is longer than 1 MiB")
    }

    @Test func nothingIsReadAfterTheLastWantedPiece() throws {
        var reader = JSONPieces()
        var count = 0
        let isOver = try Array("{\"a\":[1,2,3".utf8).withUnsafeBytes { bytes in
            try reader.read(bytes) { _, _ in
                count += 1
                return false
            }
        }
        #expect(!isOver && count == 1 && reader.offset == 8)
    }
}
