import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Chapters of files, listed and played, told through the programs as they are installed.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct ChapterStoryTests: DaemonStory {
    let daemon: RunningDaemon
    private let client: DaemonConnection

    init() throws {
        daemon = try RunningDaemon()
        client = try daemon.connect()
    }

    /// An ID3v2.3 frame with a body of fewer than 128 bytes.
    private func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, UInt8(body.count >> 8), UInt8(body.count & 0xFF), 0, 0] + body
    }

    /// A file with the chapters First at 0 s, Second at 10 s, a hidden one at 15 s and Third at 20 s.
    private func chaptered() throws -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(value >> ($0 * 8) & 0xFF) } }
        let chapters = [("a", "First", 0), ("b", "Second", 10_000), ("x", "Picture", 15_000), ("c", "Third", 20_000)]
        var frames = frame("CTOC", Array("toc".utf8) + [0, 3, 3] + ["a", "b", "c"].flatMap { Array($0.utf8) + [0] })
        for (id, title, start) in chapters {
            let times = number(start) + number(start + 5000) + [UInt8](repeating: 0xFF, count: 8)
            frames += frame("CHAP", Array(id.utf8) + [0] + times + frame("TIT2", [0] + Array(title.utf8)))
        }
        let size = [frames.count >> 21, frames.count >> 14, frames.count >> 7, frames.count].map { UInt8($0 & 0x7F) }
        return Array("ID3".utf8) + [3, 0, 0] + size + frames + (try fixture("forty-seconds.mp3"))
    }

    @Test func theChaptersOfAFileAreListedBeforeItWasPlayed() throws {
        let feed = try PublishedFeed(episodes: [("Talk", try chaptered())])
        try expectEqual(ctl("subscribe", feed.feed.url).status, 0)
        let listed = try ctl("chapters", "Talk")
        expectEqual(listed.output, "1\t0:00\tFirst\t\t\n2\t0:10\tSecond\t\t\n3\t0:20\tThird\t\t\n")
        expectEqual(listed.status, 0, "\(listed.errors)")
        let shown = try ctl("show", "Talk").output
        expectContains(shown, "0:10 Second")
        #expect(!shown.contains("Picture"))
        try expectContains(ctl("status").output, "stopped")
    }

    /// A box of Nero's, a text track of QuickTime's, or both; without the box that is named.
    @Test(arguments: [nil, "chpl", "chap"])
    func theChaptersOfAnMP4FileAreListedBeforeItWasPlayed(_ missing: String?) throws {
        var file = try fixture("thirty-seconds.m4a")
        for place in file.indices.dropLast(3) where Array(file[place..<place + 4]) == missing.map({ Array($0.utf8) }) {
            file.replaceSubrange(place..<place + 4, with: "free".utf8)
        }
        let feed = try PublishedFeed(episodes: [("Talk", file)])
        try expectEqual(ctl("subscribe", feed.feed.url).status, 0)
        let listed = try ctl("chapters", "Talk")
        expectEqual(listed.output, "1\t0:00\tFirst\t\t\n2\t0:10\tZweites Kapitel – ü\t\t\n3\t0:20\tThird\t\t\n")
        expectEqual(listed.status, 0, "\(listed.errors)")
        try expectContains(ctl("status").output, "stopped")
    }

    @Test func skippedChaptersAreMarkedAndEndTheChapterThatIsHeard() throws {
        let feed = try PublishedFeed(episodes: [("Talk", try chaptered())])
        try expectEqual(ctl("subscribe", feed.feed.url).status, 0)
        try expectEqual(ctl("set", feed.feed.url, "skip_chapters", "sec*").status, 0)
        try expectEqual(ctl("settings", "playback.sleep_fade", "4").status, 0)
        let marked = "1\t0:00\tFirst\t\t\n2\t0:10\tSecond\t\tskipped\n3\t0:20\tThird\t\t\n"
        try expectEqual(ctl("chapters", "Talk").output, marked)
        try expectContains(ctl("show", "Talk").output, "0:10 Second (skipped)")
        try expectEqual(
            ctl("chapters", "Talk", "--format", "{title} {skipped}").output, "First \nSecond true\nThird \n")
        try client.watch([.player])
        try daemon.play("Talk", "--position", "0:05", watchedBy: client)
        try client.call(Pause())
        try client.call(Seek { $0.time = .absolute(MediaTime(seconds: 5)) })
        try expectEqual(ctl("chapters").output, marked)
        try expectEqual(ctl("sleep", "end-of-chapter").status, 0)
        try client.call(TogglePlayback())
        let fading = try client.player { $0.sleep?.isFading == true }
        // The fade is heard over what follows the skipped chapter, which ends at 15 s.
        let place = fading.position?.seconds ?? 0
        #expect((9.9...10.1).contains(place) || (15..<20).contains(place), "\(place)")
        try expectEqual(client.player { $0.reason == "the sleep timer has ended" }.position?.seconds, 15)
    }

    @Test func aChapterIsReachedByItsNumberItsTitleAndFromItsNeighbours() throws {
        let feed = try PublishedFeed(episodes: [("Talk", try chaptered())])
        try expectEqual(ctl("subscribe", feed.feed.url).status, 0)
        #expect(try ctl("chapter", "next").status != 0)
        try client.watch([.player])
        try daemon.play("Talk", watchedBy: client)
        try expectEqual(ctl("pause").status, 0)
        for (word, position) in [("2", 10.0), ("next", 20), ("previous", 10), ("third", 20), ("first", 0)] {
            let reply = try ctl("chapter", word)
            expectEqual(reply.status, 0, "\(word): \(reply.errors)")
            try expectEqual(client.call(GetStatus()).player.position?.seconds, position, "\(word)")
        }
        let missing = try ctl("chapter", "7")
        #expect(missing.status != 0)
        expectContains(missing.errors, "the chapters are 1 to 3")
        try expectContains(ctl("undo").output, "undid seek")
        // A share of the duration.
        try expectEqual(ctl("seek", "50%").status, 0)
        let half = try client.call(GetStatus()).player.position?.seconds ?? 0
        #expect(abs(half - 20) < 0.5)
    }
}
