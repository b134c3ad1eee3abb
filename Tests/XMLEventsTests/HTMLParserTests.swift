import Testing
import XMLEvents

struct HTMLParserTests {
    /// Writes down what it is told; implied elements too.
    private final class HTMLRecorder: HTMLEventHandler {
        private(set) var events: [String] = []

        func startElement(_ name: HTMLElementName, attributes: HTMLAttributes) {
            let address = attributes.value(named: "href").map { " href=\($0)" } ?? ""
            events.append("<\(name.string)\(address)>")
        }
        func characters(_ text: UnsafeRawBufferPointer) { events.append(String(decoding: text, as: UTF8.self)) }
        func endElement(_ name: HTMLElementName) { events.append("</\(name.string)>") }
    }

    private func read(_ text: String) -> (events: [String], stop: HTMLStop?) {
        let recorder = HTMLRecorder()
        let stop = Array(text.utf8).withUnsafeBytes { HTMLParser.parse($0, handler: recorder) }
        return (recorder.events.filter { !["<html>", "</html>", "<body>", "</body>"].contains($0) }, stop)
    }

    @Test func brokenNestingEndsEachElementOnce() {
        let (events, stop) = read("<P>a<b>b<i>c</b>d<br><A HREF='x&amp;y'>e")
        #expect(stop == nil)
        #expect(
            events.filter { $0.hasPrefix("<") && !$0.hasPrefix("</") }.count
                == events.filter { $0.hasPrefix("</") }.count)
        #expect(events.contains("<a href=x&y>") && events.contains("</br>") && events.last == "</p>")
    }

    @Test func textIsUTF8WhateverItClaims() {
        #expect(read("<meta charset=latin1><p>é&eacute;</p>").events.filter { !$0.hasPrefix("<") }.joined() == "éé")
    }

    @Test func whatIsTooMuchIsCut() {
        #expect(read(String(repeating: "<div>", count: 300)).stop == .tooDeep)
        let (events, stop) = read("<p>" + String(repeating: "é", count: 1 << 20))
        #expect(stop == .tooLarge)
        #expect(events.filter { $0.first == "é" }.reduce(0) { $0 + $1.utf8.count } <= 1 << 20)
    }

    @Test func namesCompareAsNumbers() {
        #expect(HTMLElementName.packed("p") != HTMLElementName.packed("pre"))
        #expect(HTMLElementName.packed("blockquote") == HTMLElementName.packed("blockquo"))
    }
}
