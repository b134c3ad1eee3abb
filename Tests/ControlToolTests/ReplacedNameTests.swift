import ControlLanguage
import ControlProtocol
import TestSupport
import Testing

@testable import ControlTool

@Suite struct ReplacedNameTests {
    @Test func anIdReplacesANameInEachParameterThatNamesSomething() throws {
        let merge = try MergeFeeds { ($0.feed, $0.other) = ("news", "tech") }.replacing("tech", by: "f5")
        expectEqual([merge.feed, merge.other], ["news", "f5"])
        try expectEqual(Unsubscribe { $0.feeds = ["tech", "news"] }.replacing("news", by: "f5").feeds, ["tech", "f5"])
        try expectEqual(
            DeleteDownloads { $0.what = ["the", "news", "x"] }.replacing("the news", by: "e3").what, ["e3", "x"])
    }

    @Test func theTextOfANoteIsNotReplaced() throws {
        let note = try NoteEpisode { ($0.episode, $0.text) = ("news", "news") }.replacing("news", by: "e3")
        expectEqual([note.episode, note.text], ["e3", "news"])
    }
}
