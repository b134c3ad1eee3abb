import FeedDocuments
import PodcastModel
import TestSupport
import Testing

struct ChapterDocumentTests {
    private func chapters(_ text: String, contentType: String? = nil) throws -> ChapterDocument {
        try ChapterDocument(Array(text.utf8), contentType: contentType)
    }

    @Test func allMembersOfTheJSONAreRead() throws {
        let document = try chapters(
            """
            {"version": "1.2.0", "chapters": [{"startTime": 61.25, "endTime": 70.5, "title": "Bread &amp; salt",
            "url": "https://a.example/x", "img": "https://a.example/x.png"}, {"startTime": 0, "toc": false}]}
            """)
        expectEqual(
            document.chapters,
            [
                Chapter(start: .zero, isListed: false),
                Chapter(
                    start: MediaTime(seconds: 61.25), end: MediaTime(seconds: 70.5), title: "Bread & salt",
                    link: "https://a.example/x", image: "https://a.example/x.png"),
            ])
    }

    @Test(arguments: [
        ("90", 90.0), ("90.5", 90.5), ("\"90\"", 90), ("\"1:30\"", 90), ("\"00:01:30.500\"", 90.5),
        ("\"0:01:30,5\"", 90.5),
        ("\"1m30s\"", 90), ("\"PT1M30S\"", 90),
    ])
    func timesAreReadInEveryForm(_ written: String, _ seconds: Double) throws {
        let document = try chapters("{\"chapters\": [{\"startTime\": \(written), \"title\": \"A\"}]}")
        expectEqual(document.chapters.map(\.start.seconds), [seconds])
    }

    @Test func chaptersAreSortedWithoutDuplicates() throws {
        let document = try chapters(
            """
            {"chapters": [{"startTime": 20, "title": "B", "endTime": 10}, {"startTime": 5, "title": "A"},
            {"startTime": 20, "title": "B"}, {"startTime": 20, "title": "C"}]}
            """)
        expectEqual(document.chapters.map(\.title), ["A", "B", "C"])
        expectEqual(document.chapters[1].end, nil)
    }

    @Test func chaptersWithoutATimeAreSkippedAndReported() throws {
        let document = try chapters(
            "{\"chapters\": [{\"title\": \"A\"}, {\"startTime\": -1}, {\"startTime\": 1e300}, {\"startTime\": 3}, 7]}")
        expectEqual(document.chapters.count, 1)
        expectEqual(document.diagnostics.map(\.message), ["skipped 4 chapters without a time"])
    }

    @Test func addressesOtherThanHTTPAreDropped() throws {
        let document = try chapters(
            "{\"chapters\": [{\"startTime\": 1, \"url\": \"javascript:x\", \"img\": \"file:///etc/passwd\"}]}")
        expectEqual(document.chapters, [Chapter(start: MediaTime(seconds: 1))])
    }

    @Test(arguments: [
        "", "  ", "{}", "{\"chapters\": []}", "{\"chapters\": [{\"startTime\": 1", "<html><body>404</body></html>",
        "nothing",
        "<chapters/>", "[1, 2]",
    ])
    func documentsWithoutChaptersAreRejected(_ text: String) {
        #expect(throws: DocumentError.self) { try chapters(text) }
    }

    @Test func aDocumentBeyondTheLimitIsRejected() {
        let text = "{\"chapters\": [" + String(repeating: "{\"startTime\": 1},", count: 300_000) + "{}]}"
        #expect(throws: DocumentError.tooLarge(limit: ChapterDocument.documentBytes)) { try chapters(text) }
    }

    @Test func tooManyChaptersAreCounted() throws {
        let many = (0..<10_005).map { "{\"startTime\": \($0)}" }.joined(separator: ",")
        let document = try chapters("{\"chapters\": [\(many)]}")
        expectEqual(document.chapters.count, 10_000)
        expectEqual(document.diagnostics.map(\.message), ["skipped 5 chapters after the first 10000"])
    }
}
