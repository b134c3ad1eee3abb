import Library
import CommandLineTool
import Foundation
import JSON
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

@Suite(.ownThread) struct InspectTests {
    private let rig: RefreshRig

    init() throws { rig = try RefreshRig() }

    @Test func aFeedIsSummedUpForPeople() throws {
        let ending = try rig.run("inspect", RefreshRig.path(of: "two-episodes.xml"))
        expectEqual(ending.status, .success)
        #expect(ending.output.hasPrefix("Two episodes\n  format      RSS 2.0\n"))
        expectContains(ending.output, "items       2, 2 with a media file")
        #expect(!FileManager.default.fileExists(atPath: rig.data + "/library.db"))
    }

    @Test func repairsAreToldWithTheirPlace() throws {
        let ending = try rig.run("inspect", RefreshRig.path(of: "bare-ampersand.xml"))
        expectContains(ending.output, "1 repair\n  2:")
    }

    @Test func jsonFollowsTheNeutralSchema() throws {
        let ending = try rig.run(
            "inspect", "--json", "--base-url", "https://host.example/a/feed", RefreshRig.path(of: "bare-ampersand.xml"))
        expectEqual(ending.json["outcome"], "malformed-recoverable")
        expectEqual(ending.json["feed"]?["title"], "Salt & pepper")
        let items = try #require(ending.json["items"]?.arrayValue)
        expectEqual(items[0]["enclosures"]?.arrayValue?[0]["url"], "https://host.example/a/one.mp3")
        expectEqual(ending.json["diagnostics"]?.arrayValue?[0]["line"], 2)
    }

    @Test func aFeedThatBreaksOffOnTheWayIsOneDocumentAllTheSame() throws {
        let endpoint = try rig.publish("two-episodes.xml", faults: [.close(at: 500)])
        let ending = try rig.run("inspect", "--json", endpoint.url)
        expectEqual(ending.status, .tryAgain)
        expectEqual(ending.json["items"]?.arrayValue?.count, 1)
        expectEqual(ending.json["truncated"], true)
    }

    @Test func aFeedWithoutItemsHasAnEmptyList() throws {
        let file = rig.file("empty.xml")
        try "<rss version=\"2.0\"><channel><title>Soon</title></channel></rss>".write(
            toFile: file, atomically: false, encoding: .utf8)
        let ending = try rig.run("inspect", "--json", file)
        expectEqual(ending.json["items"]?.arrayValue?.isEmpty, true)
        expectEqual(ending.json["feed"]?["title"], "Soon")
        try expectContains(rig.run("inspect", file).output, "items       0, 0 with a media file")
    }

    @Test func beyondTenItemsTheOthersAreCounted() throws {
        let file = rig.file("twelve.xml")
        let items = (1...12).map { "<item><title>Number \($0)</title></item>" }.joined()
        try "<rss version=\"2.0\"><channel><title>Many</title>\(items)</channel></rss>".write(
            toFile: file, atomically: false, encoding: .utf8)
        let output = try rig.run("inspect", file).output
        #expect(output.contains("Number 10\n  … and 2 more\n") && !output.contains("Number 11"))
    }

    @Test func whatIsNoFeedIsAnAnswerInJSONAndAFailureOtherwise() throws {
        let page = RefreshRig.path(of: "web-page.html")
        let json = try rig.run("inspect", "--json", page)
        #expect(json.status == .success && json.json["outcome"] == "not-a-feed")
        try expectOutcome(rig.run("inspect", page), .badData, errors: "web page")
    }

    @Test func aBlogIsToldAsAFeedWithoutAudio() throws {
        try expectOutcome(
            rig.run("inspect", RefreshRig.path(of: "blog-without-audio.xml")), .success,
            output: "no item has audio or video")
    }

    @Test func severalDocumentsGiveALineEach() throws {
        let files = ["two-episodes.xml", "bare-ampersand.xml"].map(RefreshRig.path(of:))
        let ending = try rig.run(["inspect", "--json"] + files)
        expectEqual(ending.output.split(separator: "\n").count, 2)
    }

    @Test func anAddressIsFetched() throws {
        let endpoint = try rig.publish("bare-ampersand.xml", at: "/deep/feed")
        let ending = try rig.run("inspect", "--json", endpoint.url)
        let url = ending.json["items"]?.arrayValue?[0]["enclosures"]?.arrayValue?[0]["url"]
        expectEqual(url, .string(rig.server.url("/deep/one.mp3")))
        try expectEqual(rig.run("inspect", rig.server.url("/nothing")).status, .unavailable)
        try expectEqual(rig.run("inspect", "http://127.0.0.1:1/").status, .tryAgain)
    }

    @Test func listsAreInspectedToo() throws {
        let list = RefreshRig.path(of: "groups-and-a-duplicate.opml")
        let ending = try rig.run("inspect", "--kind", "opml", "--json", list)
        expectEqual(ending.json["subscriptions"]?.arrayValue?.count, 4)
        #expect(try rig.run("inspect", "--kind", "opml", list).output.hasPrefix("My feeds\n"))
    }

    @Test func chaptersAreInspected() throws {
        let file = rig.file("chapters.json")
        try
            "{\"chapters\": [{\"startTime\": 90, \"title\": \"B\", \"toc\": false}, {\"startTime\": 0, \"title\": \"A\"}]}"
            .write(toFile: file, atomically: false, encoding: .utf8)
        let ending = try rig.run("inspect", "--kind", "chapters", "--json", file)
        expectEqual(ending.json["outcome"], "chapters")
        expectEqual(ending.json["chapters"]?.arrayValue?.map { $0["toc"] }, [nil, .bool(false)])
        // The kind shows in the document.
        try expectEqual(rig.run("inspect", file).output, "2 chapters\n  0:00  A\n  1:30  B  (not listed)\n")
    }

    @Test func transcriptsAreInspected() throws {
        let file = rig.file("words.vtt")
        try "WEBVTT\n\n00:01.000 --> 00:02.500\n<v Ann>Hello\u{1B} you\n".write(
            toFile: file, atomically: false, encoding: .utf8)
        let ending = try rig.run("inspect", "--json", file)
        expectEqual(ending.json["outcome"], "transcript")
        let cue = try #require(ending.json["cues"]?.arrayValue?.first)
        #expect(cue["start"] == 1.0 && cue["end"] == 2.5 && cue["speaker"] == "Ann" && cue["text"] == "Hello you")
        try expectEqual(rig.run("inspect", file).output, "WebVTT, 1 cue\n  0:01  Ann: Hello you\n")
    }

    @Test(arguments: ["chapters", "transcript"])
    func aPageInPlaceOfADocumentIsAnAnswerInJSONAndAFailureOtherwise(_ kind: String) throws {
        let page = RefreshRig.path(of: "web-page.html")
        let type = ["--content-type", "application/json"]
        let json = try rig.run(["inspect", "--json", "--kind", kind] + type + [page])
        #expect(json.status == .success && json.json["outcome"]?.stringValue?.hasPrefix("not-") == true)
        try expectEqual(rig.run(["inspect", "--kind", kind] + type + [page]).status, .badData)
    }

    @Test func notesComeAsTextOrCleanOrRaw() throws {
        let file = rig.file("notes.xml")
        let notes = "<p onclick=\"x()\">One</p><p>two &amp;amp; three</p>"
        try
            "<rss version=\"2.0\"><channel><item><title>A &amp;amp; B</title><description><![CDATA[\(notes)]]></description>"
            .appending("</item></channel></rss>").write(toFile: file, atomically: false, encoding: .utf8)
        func item(_ arguments: String...) throws -> JSONValue? {
            try rig.run(["inspect", "--json"] + arguments + [file]).json["items"]?.arrayValue?.first
        }
        try expectEqual(item()?["title"], "A & B")
        try expectEqual(item()?["summary"], "One\n\ntwo &amp; three")
        try expectEqual(item("--notes", "html")?["summary"], "<p>One</p><p>two &amp;amp; three</p>")
        try expectEqual(item("--notes", "raw")?["summary"], .string(notes))
    }

    @Test func aFileThatIsNotThereIsNoInput() throws {
        try expectEqual(rig.run("inspect", rig.file("missing.xml")).status, .noInput)
    }
}
