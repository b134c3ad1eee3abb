import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// Every command that the documents and the examples of manuals show, run by a shell against the real programs.
@Suite(.ownThread, .timeLimit(.minutes(20)))
struct DocumentCommandTests {
    /// Commands that cannot run here, and why.
    private static let others = [
        "podcastd &": "the world has a daemon",
        "podcast-tui": "needs a terminal: TerminalStoryTests", "podcastctl tui": "needs a terminal",
        "podcastctl shell": "needs a terminal", "podcast-web": "a gateway: WebStoryTests",
        "podcast-mcp": "a gateway: ModelContextStoryTests", "podcastctl find": "asks directories on the network",
        "podcast-refresh find": "asks directories on the network",
        "podcastctl device remove NAME": "needs a device: SyncStoryTests",
        "podcastctl feeds merge FEED OTHER": "needs two feeds of one show: MergeCommandsTests",
        "podcastctl play EPISODE --said": "needs a transcript: FindingTests",
        "podcastctl seek --said": "needs a transcript: FindingTests",
        "podcastctl transcript EPISODE": "needs a transcript: FindingTests",
        "podcastctl status --follow": "does not end: FollowStoryTests",
        "podcastctl picture e12": "needs a cover: PictureTests",
        "podcastctl hand-over kitchen": "needs an account: SyncClientStoryTests",
        "podcastctl sync try": "needs an account: SyncClientStoryTests",
        "podcastctl sync now": "needs an account: SyncClientStoryTests",
        "podcast-sync --check": "needs sync.conf: SyncClientStoryTests",
        "podcast-hooks --check": "needs hooks.conf: HookStoryTests",
        "podcast-mpd --listen": "a gateway: MPDStoryTests",
        "podcast-refresh import ~/gPodder": "needs gPodder's database: MovingTests",
        "podcast-play episode.mp3": "needs a sound device: SoundServerTests",
        "podcast-play --unpaced": "needs an episode on the network: PlayToolTests",
        "podcast-play probe": "needs an episode: PlayToolTests",
    ]
    /// What stands for the words in capitals.
    private static let words = [
        "EPISODE": "e1", "FEED": "f1", "FILE": "document", "TEXT": "Monday", "NAME": "reader", "KEY": "speed",
        "VALUE": "1.2", "URL": "https://new.example/feed", "e812": "e3", "f5": "f1", "e3124": "e3",
        "e12": "e6", "e15": "e2", "e20": "e3",
    ]

    private static let documents = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "../../docs").standardizedFileURL

    /// The lines of blocks, and the code within sentences, that begin with the name of one of the programs.
    static func commands(of text: String) -> [String] {
        let text = text.replacing(#/(?m)^ {4}([^\n]*?) {2,}# [^\n]*$/#) { "    \($0.output.1)" }
        let lines = text.matches(of: #/(?m)^ {4}(podcast(?:ctl|d|-[a-z]+)(?: [^\n`#]*)?)$/#).map { $0.output.1 }
        let code = text.matches(of: #/`(podcast(?:ctl|-[a-z]+) [^`\n]+)`/#).map { $0.output.1 }
        return (lines + code).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.contains("...") }
    }

    /// The examples of a program's manual as a document.
    private static func examples(of program: String) throws -> String {
        let manual = try Programs.run(program, ["--generate", "man"]).output
        let examples =
            manual.split(separator: ".SH \"EXAMPLES\"").dropFirst().first?.split(separator: "\n.SH").first ?? ""
        return examples.matches(of: #/(?m)^\\fB(.*)\\fR$/#).map { "    \($0.output.1.replacing("\\-", with: "-"))\n" }
            .joined()
    }

    @Test func everyCommandOfTheDocumentsRuns() throws {
        let daemon = try RunningDaemon()
        let scratch = daemon.scratch
        // Longer than the commands take on any machine, because 'play' without an argument needs an entry in the queue.
        let audio = Array(repeatElement(try fixture("forty-seconds.mp3"), count: 20).joined())
        let names = ["Monday, words of a title", "Tuesday", "Wednesday", "Thursday", "The title"]
        let server = try LoopbackServer()
        let news = try PublishedFeed(title: "The News", episodes: names.map { ($0, audio) })
        let archive = try PublishedFeed(title: "An archive", episodes: [("Long ago", audio)])
        let client = try daemon.connect()
        for feed in [news, archive] { try client.call(Subscribe { $0.urls = [feed.feed.url] }) }
        try client.call(SetFeed { ($0.feed, $0.key, $0.value) = ("f1", "title", "The News") })
        try client.call(SavePlaylist { ($0.name, $0.filter) = ("Commute", "is:unplayed") })
        for number in 1...3 { try client.call(AddRule { $0.rule = "title:\"none \(number)\" then skip" }) }
        _ = try scratch.file("document", "<opml version=\"2.0\"><body/></opml>")
        _ = try scratch.file("password", "secret\n")
        _ = try scratch.file("other.m3u", "#EXTM3U\n\(news.media[1].url)\n")
        try Data(try fixture("one-and-a-half-seconds.mp3")).write(to: URL(filePath: scratch.path + "/message.mp3"))
        _ = try scratch.file("feed.xml", "<rss version=\"2.0\"><channel><title>Any</title></channel></rss>")
        let programs = URL(filePath: Programs.path("podcastctl")).deletingLastPathComponent().path
        var endpoints: [LoopbackServer.Endpoint] = []
        var (ran, skipped): (Set<String>, Set<String>) = ([], [])
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.documents.path).sorted()
            .filter { $0.hasSuffix(".md") && $0 != "PROTOCOL.md" }
        let texts =
            try (files + ["../README.md"]).map {
                ($0, try String(contentsOf: Self.documents.appending(path: $0), encoding: .utf8))
            }
            + [
                "podcastctl", "podcast-refresh", "podcast-play", "podcast-tui", "podcast-web", "podcast-mpd",
                "podcast-mcp",
            ]
            .map { ("\($0)'s manual", try Self.examples(of: $0)) }
        for (file, text) in texts {
            for command in Self.commands(of: text) {
                let exceptions = Self.others.keys.filter(command.hasPrefix)
                skipped.formUnion(exceptions)
                if !exceptions.isEmpty { continue }
                var line = command
                for (word, meaning) in Self.words { line = line.replacing(try Regex("\\b\(word)\\b"), with: meaning) }
                // Each address that is only an example becomes a feed.
                while let address = line.firstMatch(of: #/https://[a-z.]*example(?:\.org)?/[a-z.]*/#) {
                    let path = "/\(endpoints.count)/feed.xml"
                    let feed =
                        "<rss version=\"2.0\"><channel><title>Feed \(endpoints.count)</title><item><guid>1</guid>"
                        + "<title>Only</title><enclosure url=\"\(archive.media[0].url)\" type=\"audio/mpeg\"/></item></channel></rss>"
                    endpoints.append(server.serve(path, .resource(Resource(Array(feed.utf8), contentType: "text/xml"))))
                    line.replaceSubrange(address.range, with: endpoints[endpoints.count - 1].url)
                }
                line = line.replacing("--password-file document", with: "--password-file password")
                line = line.replacing("announce document", with: "announce message.mp3")
                let outcome = try Programs.run(
                    Launch(
                        "/bin/sh", ["-c", "cd \"$HOME\" && printf 'secret\\n' | \(line)"],
                        environment: [
                            "HOME=\(scratch.path)", "PATH=\(programs):/usr/bin:/bin",
                            "PODCASTD_SOCKET=\(daemon.socketPath)", "STATE_DIRECTORY=\(scratch.path)/data",
                        ]))
                // `doctor` also tells what it finds; a sentence may name a command without its arguments.
                let isName =
                    outcome.status == 64
                    && (outcome.errors.contains(" missing\n") || outcome.errors.contains("needs a value"))
                let isLoading = outcome.status == 75 && outcome.errors.contains("still loading")
                let isFine =
                    outcome.status == 0 || isName || isLoading || outcome.status == 69 && line.contains(" doctor")
                #expect(isFine, "\(file): \(line): \(outcome)")
                ran.insert(command)
            }
        }
        #expect(ran.count > 60)
        expectEqual(Set(Self.others.keys).subtracting(skipped), [], "exceptions that no document needs")
    }
}
