import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct TranscriptDocumentTests {
    private func transcript(
        _ text: String, contentType: String? = nil, name: String? = nil
    ) throws -> TranscriptDocument {
        try TranscriptDocument(Array(text.utf8), contentType: contentType, name: name)
    }

    private func cue(_ start: Double, _ end: Double?, _ text: String, by speaker: String? = nil) -> Cue {
        Cue(
            start: MediaTime(seconds: start), end: end.map { MediaTime(seconds: $0) }, speaker: speaker, text: text)
    }

    @Test func subRipIsRead() throws {
        let document = try transcript(
            "\u{FEFF}1\r\n00:00:01,500 --> 00:00:02,750\r\n{\\an8}<i>Hello</i>\r\nthere\r\n\r\n2\r\n"
                + "01:00:00,000 --> 01:00:01,000 X1:1\r\n<font color=\"red\">One &amp; two</font>, 1 < 2\r\n")
        expectEqual(document.form, .srt)
        expectEqual(document.cues, [cue(1.5, 2.75, "Hello\nthere"), cue(3600, 3601, "One & two, 1 < 2")])
    }

    @Test func speakersBeforeAColonAreNamedIfTheyAreSurelyNames() throws {
        func cues(_ texts: String...) throws -> [Cue] {
            try transcript(
                texts.enumerated().map { "00:00:0\($0),000 --> 00:00:0\($0 + 1),000\n\($1)\n" }.joined(separator: "\n")
            ).cues
        }
        try expectEqual(
            cues("Ada Lovelace: Hello", "and more", "Dr. Who: Yes: no", "Then he said: go"),
            [
                cue(0, 1, "Hello", by: "Ada Lovelace"), cue(1, 2, "and more"), cue(2, 3, "Yes: no", by: "Dr. Who"),
                cue(3, 4, "Then he said: go"),
            ])
        try expectEqual(cues("Speaker 1: A", "Speaker 1: B").map(\.speaker), ["Speaker 1", "Speaker 1"])
        try expectEqual(cues("Remember: it is one", "of many").map(\.speaker), [nil, nil])
        try expectEqual(cues("At 10:30 we met", "At 11:30 we left").map(\.speaker), [nil, nil])
    }

    @Test func incompleteSubRipIsRead() throws {
        let document = try transcript(
            "00:01.5 --> 00:02\nno number\n2\n00:00:03.000 --> 00:00:02.000\nends before it begins\n\n3\nbad --> 00:05\nlost\n"
                + "\n4\n00:00:02,000 --> 00:00:09,000\noverlaps\n")
        expectEqual(
            document.cues,
            [
                cue(1.5, 2, "no number"), cue(2, 9, "overlaps"), cue(3, nil, "ends before it begins"),
            ])
        expectEqual(document.diagnostics.map(\.message), ["skipped 1 cues with an invalid time"])
    }

    @Test func webVTTIsRead() throws {
        let document = try transcript(
            """
            WEBVTT - a title

            NOTE
            a comment

            STYLE
            ::cue { color: red }

            first
            00:01.000 --> 00:02.500 align:left position:10%
            <v.loud Ann Lee>Hello <c.x>there</c>, <00:00:01.500>you</v>

            1:00:00.000 --> 1:00:01.000
            One hour
            """, contentType: "text/vtt; charset=utf-8")
        expectEqual(document.form, .webVTT)
        expectEqual(document.cues, [cue(1, 2.5, "Hello there, you", by: "Ann Lee"), cue(3600, 3601, "One hour")])
    }

    @Test func podcastingJSONIsRead() throws {
        let document = try transcript(
            """
            {"version": "1.0.0", "segments": [{"speaker": "Ann", "startTime": 0.5, "endTime": 0.75, "body": "I"},
            {"startTime": "0:01", "body": "am\\u0007"}, {"body": "lost"}]}
            """)
        expectEqual(document.cues, [cue(0.5, 0.75, "I", by: "Ann"), cue(1, nil, "am")])
        expectEqual(document.diagnostics.count, 1)
    }

    @Test func htmlIsReadWithSpeakersAndTimes() throws {
        let document = try transcript(
            "<html><head><title>x</title></head><body><cite>Ann:</cite><time>0:00</time><p>Hello<br>you</p>"
                + "<cite>Bob:</cite><time>1:05</time><p>Hi</p><p>again &amp; again</p></body></html>",
            contentType: "text/html")
        expectEqual(
            document.cues,
            [
                cue(0, nil, "Hello\nyou", by: "Ann"), cue(65, nil, "Hi", by: "Bob"),
                cue(65, nil, "again & again", by: "Bob"),
            ])
    }

    @Test func aSpeakerWithoutANameIsIgnored() throws {
        let document = try transcript(
            "<cite> :</cite><time>0:01</time><p>Hello</p><cite>Ann :</cite><time>0:02</time><p>you</p>",
            contentType: "text/html")
        expectEqual(document.cues, [cue(1, nil, "Hello"), cue(2, nil, "you", by: "Ann")])
    }

    @Test func plainTextHasOneCueForEachParagraph() throws {
        let document = try transcript("Ann: Hello\nyou <3\n\n\nBob: Hi\n", contentType: "text/plain")
        expectEqual(document.form, .plain)
        expectEqual(document.cues, [Cue(text: "Ann: Hello\nyou <3"), Cue(text: "Bob: Hi")])
    }

    @Test func theFormatIsDetectedFromTheContent() throws {
        let webVTT = "WEBVTT\n\n00:01.000 --> 00:02.000\nHello"
        try expectEqual(transcript(webVTT, contentType: "application/srt").form, .webVTT)
        try expectEqual(transcript(webVTT, contentType: "text/plain").form, .webVTT)
        try expectEqual(transcript("00:01.000 --> 00:02.000\nHello", name: "https://a.example/t.vtt?x=1").form, .webVTT)
        try expectEqual(transcript("{\"segments\": [{\"startTime\": 1, \"body\": \"a\"}]}", name: "t.txt").form, .json)
        try expectEqual(transcript("Hello").form, .plain)
    }

    @Test func charsetsAreRead() throws {
        let bytes: [UInt8] = Array("1\n00:01 --> 00:02\nGr".utf8) + [0xFC, 0xDF] + Array("e\n".utf8)
        let latin = try TranscriptDocument(bytes, contentType: "text/srt; charset=iso-8859-1")
        expectEqual(latin.cues.first?.text, "Grüße")
        try expectEqual(TranscriptDocument(bytes).cues.first?.text, "Grüße")
        var wide: [UInt8] = [0xFF, 0xFE]
        for unit in "00:01 --> 00:02\nGrüße".utf16 { wide += [UInt8(unit & 0xFF), UInt8(unit >> 8)] }
        try expectEqual(TranscriptDocument(wide).cues.first?.text, "Grüße")
    }

    @Test(arguments: [
        ("", "text/vtt"), ("\n\n\n", "text/vtt"), ("<html><body>404</body></html>", "text/vtt"),
        ("Ann: hello", "application/srt"), ("{\"segments\": []}", "application/json"),
        ("{\"segments\"", "application/json"),
        ("nothing", "application/json"), ("WEBVTT\n\nNOTE nothing", "text/vtt"), ("\u{0}\u{1}binary", "text/plain"),
    ])
    func otherDocumentsAreRejected(_ text: String, _ type: String) {
        #expect(throws: DocumentError.self) { try transcript(text, contentType: type) }
    }

    @Test func controlCharactersInCuesAreRemoved() throws {
        let document = try transcript(
            "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A\u{1B}nn>a\u{1B}[31mb&#27;\u{9B}c\u{202E}")
        expectEqual(document.cues, [cue(1, 2, "a[31mb›c", by: "Ann")])
    }

    @Test func endlessTranscriptsAreBounded() throws {
        let many = (0..<200_010).map { "\($0):00 --> \($0):01\na\n\n" }.joined()
        let document = try transcript("WEBVTT\n\n" + many)
        #expect(document.cues.count <= 200_000 && !document.diagnostics.isEmpty)
        let long = String(repeating: "word ", count: 4 << 20)
        #expect(throws: DocumentError.tooLarge(limit: TranscriptDocument.documentBytes)) { try transcript(long) }
    }
}
