@testable import XMLEvents

/// Records the events of the parser, one line for each event; text that arrives in pieces is one event.
final class Recorder: XMLEventHandler {
    private(set) var events: [String] = []
    private var text = ""

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) {
        flush()
        let qualified =
            name.namespace.map { "{\($0)}\(name.localName)" }
            ?? [name.prefix.map { String(cString: $0) }, name.localName].compactMap { $0 }.joined(separator: ":")
        let values = (0..<attributes.count).map { index in
            " \(attributes.name(index).localName)=\(String(decoding: attributes.value(index), as: UTF8.self))"
        }
        events.append("<\(qualified)\(values.joined())>")
    }

    func characters(_ bytes: UnsafeRawBufferPointer) { text += String(decoding: bytes, as: UTF8.self) }

    func endElement(_ name: XMLElementName) {
        flush()
        events.append("</\(name.localName)>")
    }

    private func flush() {
        if !text.isEmpty { events.append(text) }
        text = ""
    }
}

extension XMLPushParser {
    /// Parses a text in pieces of `pieces` bytes.
    func parse(_ text: String, pieces: Int = .max) throws(XMLError) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(pieces))
            rest = rest.dropFirst(piece.count)
            let result: Result<Void, XMLError> = piece.withUnsafeBytes { bytes in
                Result { () throws(XMLError) in try parse(bytes) }
            }
            try result.get()
        }
    }

    /// Hands on the inside of a CDATA section.
    func parse(characterData text: String) throws(XMLError) {
        let result: Result<Void, XMLError> = Array(text.utf8).withUnsafeBytes { bytes in
            Result { () throws(XMLError) in try parse(characterData: bytes) }
        }
        try result.get()
    }
}

/// The events of a whole document.
func events(of text: String, pieces: Int = .max) throws -> [String] {
    let recorder = Recorder()
    let parser = try XMLPushParser(handler: recorder)
    try parser.parse(text, pieces: pieces)
    try parser.finish()
    return recorder.events
}
