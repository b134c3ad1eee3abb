import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// Forms of podcast-tui on a real terminal, key by key.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct FormKeyTests {
    private let daemon: RunningDaemon
    private let client: DaemonConnection
    private let published: PublishedFeed
    private let screen: TmuxTerminal

    init() throws {
        published = try PublishedFeed(episodes: [("Alpha talk", try fixture("forty-seconds.mp3"))])
        daemon = try RunningDaemon()
        client = try daemon.connect(watching: .player, .queue)
        screen = try TmuxTerminal(
            [Programs.path("podcast-tui"), "--socket", daemon.socketPath], columns: 90, lines: 24)
        try screen.wait(for: "Queue (0)")
    }

    private func value(of setting: FeedSetting) throws -> String? {
        try client.call(ListFeedSettings { $0.feed = published.feed.url }).settings
            .first { $0.key == setting.rawValue }?.value
    }

    @Test func anAddressIsTypedAtOnceAndTheLastEnterSubscribes() throws {
        try screen.press("S")
        try screen.wait(for: "Subscribe", line: 0)
        for character in published.feed.url { try screen.type(String(character)) }
        try screen.wait(for: published.feed.url)
        try screen.press("Enter", "Enter", "Enter", "Enter")
        try screen.wait(for: "subscribed to")
        try screen.press("3")
        try screen.wait(for: "Feeds (1)")
    }

    @Test func fieldsTakeArrowsPastesUTF8AndAnotherSize() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try screen.press("3")
        try screen.wait(for: "Feeds (1)")
        try screen.press("o")
        try screen.wait(for: "Voice boost")
        // The title, whose letters are keys elsewhere.
        try screen.press("C-u")
        try screen.typeBytes("Zürch 日本")
        try screen.press("Left", "Left", "Left", "Left", "Left")
        try screen.type("i")
        try screen.press("C-e")
        try screen.paste(" q:x\nS")
        try screen.wait(for: "Zürich 日本 q:x S")
        try screen.resize(columns: 60, lines: 12)
        try screen.wait(for: "Zürich 日本 q:x S", line: 1)
        // The password is not shown.
        try screen.press("Down", "Down", "Down", "Tab")
        try screen.type("dxq*u")
        try screen.wait(for: "*****")
        try screen.press("BTab")
        try screen.type("sam")
        try screen.press("C-s")
        try screen.wait(for: "saved: Title, Username, Password")
        try expectEqual(value(of: .title), "Zürich 日本 q:x S")
        try expectEqual(value(of: .username), "sam")
        try expectEqual(value(of: .password), "…")
    }

    @Test func aFeedsSettingsHaveTheKindsThatAreDeclared() throws {
        try client.call(Subscribe { $0.urls = [published.feed.url] })
        try screen.press("3")
        try screen.wait(for: "Feeds (1)")
        try screen.press("o")
        try screen.wait(for: "Voice boost")
        for _ in 0..<7 { try screen.press("Tab") }
        try screen.press("Right", "Down", "Down", "Right", "Right", "Down", "Space", "Down", "Right")
        try screen.press("C-s")
        try screen.wait(for: "saved: Refresh, Speed, Silence, Loudness")
        try expectEqual(value(of: .refresh), "5m")
        try expectEqual(value(of: .speed), "1.1")
        try expectEqual(value(of: .silence), "yes")
        try expectEqual(value(of: .loudness), "-30")
        try screen.press("Up", "C-d", "C-s")
        try screen.wait(for: "saved: Silence")
        try expectEqual(value(of: .silence), nil)
    }

    @Test func escapeAsksIfSomethingChanged() throws {
        try screen.press("S")
        try screen.wait(for: "Subscribe", line: 0)
        try screen.press("Escape")
        try screen.wait(for: "No feeds yet")
        try screen.press("S")
        try screen.wait(for: "Subscribe", line: 0)
        try screen.type("q")
        try screen.press("Escape")
        try screen.wait(for: "Leave without saving?")
        try screen.press("n")
        try screen.wait(for: "URLs", line: 2)
        // The keys come one at a time, because podcast-tui reads both together as Alt-y.
        try screen.press("Escape")
        try screen.wait(for: "Leave without saving?")
        try screen.press("y")
        try screen.wait(for: "No feeds yet")
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }

    @Test func aPasteOutsideOfAFieldIsNotACommand() throws {
        try screen.paste("q\n:volume 3\nq")
        try screen.wait(for: "text was pasted where nothing is typed")
        try screen.press(":")
        try screen.paste("volume 33\n")
        try screen.wait(for: ":volume 33")
        try screen.press("Enter")
        try screen.wait(for: "volume 33 %")
        try screen.press("q")
        try screen.wait(for: "ended with 0")
    }
}
