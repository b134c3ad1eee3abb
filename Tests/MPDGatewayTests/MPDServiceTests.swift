import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LineServing
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import MPDGateway

/// What clients of podcast-mpd get, and what podcast-mpd asks of a daemon whose answers the test makes up.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct MPDServiceTests {
    private let served: ServedDaemon
    private let server: LineServer
    private let socket: String
    private let entries: [EntryReply]
    private let client: MPDClient

    /// Three episodes of a show in the queue, of which the second one is paused.
    init() throws {
        served = try ServedDaemon()
        let daemon = served.daemon
        daemon.set(.queue, QueueListReply([], extent: QueueExtent(length: 3, index: 2), hasAfter: false).json)
        daemon.set(
            .player, ["state": "paused", "position": 20, "duration": 40, "volume": 80, "speed": 1, "instant": 1])
        daemon.set(.outputs, [["name": "speakers", "specification": "alsa:default", "enabled": true]])
        daemon.set(.activities, [])
        daemon.reply(
            to: "feeds.list", ["feeds": [["id": 1, "title": "Talks", "url": "http://host/feed", "episodes": 3]]])
        let episodes = (1...3).map { number in
            EpisodeReply(
                Episode(
                    id: EpisodeID(number), feed: FeedID(1), feedTitle: "Talks", title: "Talk \(number)",
                    enclosure: Enclosure(url: "http://host/\(number).mp3"), published: Timestamp(seconds: number)))
        }
        entries = episodes.enumerated().map { index, episode in
            EntryReply(id: EntryID(Int64(11 + index)), index: index + 1, isCurrent: index == 1, episode: episode)
        }
        daemon.reply(
            to: "queue.list",
            QueueListReply(entries, extent: QueueExtent(length: 3, index: 2), hasAfter: false).json)
        var list = EpisodeListReply()
        list.episodes = episodes
        daemon.reply(to: "episodes.list", list.json)
        daemon.reply(to: "queue.add", QueueAdditionReply { ($0.entries, $0.length) = ([EntryID(14)], 4) }.json)
        (server, socket) = try Self.serve(served)
        // The gateway closes a connection if it could not send the greeting within ten seconds.
        var greeted = try? MPDClient(path: socket)
        while greeted == nil { greeted = try? MPDClient(path: socket) }
        client = try #require(greeted)
        // The gateway asks for the feeds when it starts.
        while daemon.calls(of: ListFeeds.self).isEmpty {}
    }

    /// Starts a gateway to a daemon.
    private static func serve(_ served: ServedDaemon) throws -> (server: LineServer, socket: String) {
        let socket = served.folder.appendingPathComponent("mpd").path
        let server = try LineServer(threadName: .control, report: { _ in }, failed: { _ in })
        let service = MPDService(socket: served.socket, settings: MPDSettings(), now: .now) { server.wake() }
        try server.start(service, on: [try LineListener(path: socket)])
        server.wake()
        return (server, socket)
    }

    /// Sends a line that succeeds.
    ///
    /// - Returns: what the daemon was asked to do.
    private func asked(_ line: String) throws -> [String] {
        let before = served.daemon.calls.count
        try expectEqual(client.ask(line).last, "OK", "\(line)")
        return served.daemon.calls.dropFirst(before).map { call in
            "\(type(of: call).declaration.name) \(call.params?.text ?? "")"
        }
    }

    @Test func eachCommandAsksTheDaemonForWhatItMeans() throws {
        let cases: [(String, [String])] = [
            ("play 0", [##"playback.play {"what":"#1"}"##]), ("play -1", ["playback.play "]),
            ("pause", ["playback.toggle "]),
            ("pause 0", ["playback.play "]), ("pause 1", []), ("playid 13", [##"playback.play {"what":"#3"}"##]),
            ("seek 1 9.5", [#"playback.seek {"time":9.5}"#]),
            ("seekcur -5", [#"playback.seek {"time":"-5"}"#]),
            ("seekid 11 9", [##"playback.play {"what":"#1","position":9.0}"##]),
            ("setvol 40", [#"playback.volume {"level":40}"#]), ("volume -5", [#"playback.volume {"change":-5}"#]),
            ("single 0", []), ("single oneshot", [#"playback.sleep {"when":"end-of-episode"}"#]), ("random 0", []),
            ("add Talks/e3.mp3", [#"queue.add {"what":["e3"],"again":true}"#]),
            ("addid Talks +0", [#"queue.add {"what":["f1"],"at":3,"again":true}"#]),
            ("add http://host/x 3", [#"queue.add {"what":["http://host/x"],"again":true}"#]),
            (
                "findadd title \"Talk 2\" position 0",
                [#"episodes.list {"limit":1000}"#, #"queue.add {"what":["e2"],"at":1,"again":true}"#]
            ),
            ("delete 0:2", [##"queue.remove {"what":["#1-2"]}"##]),
            ("deleteid 13", [##"queue.remove {"what":["#3"]}"##]),
            ("move 0 2", [##"queue.move {"from":"#1","to":3}"##]),
            ("swap 2 0", [##"queue.move {"from":"#3","to":1}"##, ##"queue.move {"from":"#2","to":3}"##]),
            ("shuffle", ["queue.shuffle "]), ("prio 3 0", []), ("clear", ["queue.clear "]),
            ("sticker set song Talks/e1.mp3 like 2", [#"episodes.star {"what":["e1"]}"#]),
            ("sticker delete song Talks/e1.mp3 played", [#"episodes.mark {"as":"unplayed","what":["e1"]}"#]),
            ("toggleoutput 0", [#"outputs.disable {"name":"speakers"}"#]),
            ("rm new", [#"playlists.remove {"name":"new"}"#]),
            ("rename mine yours", [#"playlists.rename {"name":"mine","to":"yours"}"#]),
            ("playlistclear mine", [#"playlists.clear {"name":"mine"}"#]),
            ("playlistdelete mine 2", [##"playlists.drop {"name":"mine","what":["#3-#3"]}"##]),
            ("playlistmove mine 0:2 4", [##"playlists.move {"name":"mine","from":"#1-#2","to":5}"##]),
        ]
        for (line, calls) in cases { try expectEqual(asked(line), calls, "\(line)") }
        // The client does not wait for the end of a refresh.
        for line in ["rescan", "update Talks"] { try expectEqual(client.ask(line).last, "OK") }
        while served.daemon.calls(of: RefreshFeeds.self).count < 2 {}
        expectEqual(served.daemon.calls(of: RefreshFeeds.self).map(\.isForced), [true, false])
    }

    @Test(
        arguments: [
            (["delete 2", "delete 0"], [["#1", "#3"]], "OK"), (["delete 0", "delete 0"], [["#1-2"]], "OK"),
            (["deleteid 13", "delete 1", "clear"], [["#2-3"]], "OK"),
            (["delete 0", "delete 9"], [["#1"]], "ACK [2@1] {delete} Bad song index"),
            (["delete 0", "prio 300 0"], [["#1"]], nil), (["delete 0", "deleteid x"], [["#1"]], nil),
        ] as [([String], [[String]], String?)])
    func deletionsInARowAreOneChange(_ lines: [String], _ removed: [[String]], _ end: String?) throws {
        let last = try client.ask((["command_list_begin"] + lines + ["command_list_end"]).joined(separator: "\n")).last
        if let end { expectEqual(last, end) } else { expectEqual(last?.hasPrefix("ACK [2@1]"), true) }
        expectEqual(served.daemon.calls(of: RemoveFromQueue.self).map(\.what), removed)
    }

    @Test func theFirstCommandOfAClientSeesTheQueueAsItIs() throws {
        let added = EntryReply(id: EntryID(14), index: 4, isCurrent: false, episode: entries[0].episode)
        let extent = QueueExtent(length: 4, index: 2, revision: 1)
        served.daemon.reply(
            to: "queue.list", QueueListReply(entries + [added], extent: extent, hasAfter: false).json)
        // The event of this change comes later.
        served.daemon.set(.queue, QueueListReply([], extent: extent, hasAfter: false).json)
        let other = try MPDClient(path: socket)
        try expectEqual(other.ask("play 3"), ["OK"])
        expectEqual(served.daemon.calls(of: Play.self).map(\.what), ["#4"])
    }

    @Test func greetsWhileTheQueueIsRead() throws {
        let slow = try ServedDaemon()
        slow.daemon.hold("queue.list")
        let gateway = try Self.serve(slow)
        let client = try MPDClient(path: gateway.socket)
        try expectEqual(client.ask("ping"), ["OK"])
        try client.send("playlist\n")
        while slow.daemon.calls(of: ListQueue.self).isEmpty {}
        slow.daemon.release("queue.list")
        slow.change(.queue)
        try expectEqual(client.answer(), ["OK"])
    }

    @Test func whatCannotBeDoneIsRefused() throws {
        let cases: [(String, String)] = [
            ("play 3", "[2@0] {play} Bad song index"), ("playid 9", "[50@0] {playid} No such song"),
            ("move 0:9 0", "[2@0] {move} Bad song index"), ("add Nothing", "[50@0] {add} No such directory"),
            ("random 1", "[2@0] {random} there is no random order; 'shuffle' orders the queue at random once"),
            ("crossfade 3", "[2@0] {crossfade} episodes are not faded into each other"),
            ("rangeid 1", #"[5@0] {} unknown command "rangeid""#),
            ("sticker get song Talks/e1.mp3 colour", "[50@0] {sticker} No such song"),
            ("sticker find song Nothing note", "[50@0] {sticker} No such directory"),
        ]
        for (line, answer) in cases { try expectEqual(client.ask(line), ["ACK " + answer], "\(line)") }
        served.daemon.refuse("playback.stop", ControlError(.conflict, "nothing is loaded"))
        try expectEqual(client.ask("stop"), ["ACK [55@0] {stop} nothing is loaded"])
    }

    @Test func listsHaveTheLinesOfMPD() throws {
        try expectEqual(client.ask("listall Talks").dropFirst(), (1...3).map { "file: Talks/e\($0).mp3" } + ["OK"])
        try expectContains(client.ask("lsinfo /"), "directory: Talks")
        try expectContains(client.ask("lsinfo Talks"), "Title: Talk 2")
        try expectEqual(client.ask("playlist"), (0...2).map { "\($0):file: Talks/e\($0 + 1).mp3" } + ["OK"])
        try expectEqual(client.ask("playlistid 12").suffix(3), ["Pos: 1", "Id: 12", "OK"])
        try expectEqual(client.ask("playlistfind title \"Talk 3\"").suffix(3), ["Pos: 2", "Id: 13", "OK"])
        try expectEqual(client.ask("playlistinfo 0:2").filter { $0.hasPrefix("Pos") }, ["Pos: 0", "Pos: 1"])
        try expectEqual(client.ask("plchangesposid 0 2:"), ["cpos: 2", "Id: 13", "OK"])
        try expectEqual(client.ask("count album Talks"), ["songs: 3", "playtime: 0", "OK"])
        try expectEqual(client.ask("list album"), ["Album: Talks", "OK"])
        try expectEqual(
            client.ask("list title group album").prefix(2), ["Album: Talks", "Title: Talk 1"])
        try expectEqual(
            client.ask("search title talk sort -title window 0:1").filter { $0.hasPrefix("Title") }, ["Title: Talk 3"])
        try expectEqual(client.ask("getvol"), ["volume: 80", "OK"])
        let names = try client.ask("commands")
        #expect(
            names.contains("command: play") && names.contains("command: idle") && !names.contains("command: rangeid"))
        try expectEqual(client.ask("notcommands"), ["OK"])
        try expectEqual(client.ask("outputs").prefix(3), ["outputid: 0", "outputname: speakers", "plugin: alsa"])
        #expect(try client.value("song", "status") == "1" && client.value("elapsed", "status") == "20.000")
    }

    @Test func stickersAndCoversAreThoseOfTheEpisode() throws {
        var reply = EpisodeRowsReply()
        var episode = try #require(entries[0].episode).episode
        (episode.state.note, episode.state.isStarred) = ("hear again", true)
        reply.rows = [EpisodeReply(episode)]
        served.daemon.reply(to: "episodes.get", reply.json)
        served.daemon.refuse("episodes.picture", ControlError(.notFound, "no cover"))
        try expectEqual(
            client.ask("sticker list song Talks/e1.mp3"),
            ["sticker: starred=1", "sticker: note=hear again", "sticker: like=2", "OK"])
        try expectEqual(client.ask("sticker get song Talks/e1.mp3 note"), ["sticker: note=hear again", "OK"])
        try expectEqual(client.ask("sticker get song Talks/e1.mp3 played"), ["ACK [50@0] {sticker} no such sticker"])
        try expectEqual(client.ask("sticker set song Talks/e1.mp3 colour red").first?.hasPrefix("ACK [2@0]"), true)
        try expectEqual(client.ask("readpicture Talks/e1.mp3 0"), ["OK"], "the feed has no cover")
        try expectEqual(client.ask("albumart Talks/e1.mp3 0"), ["ACK [50@0] {albumart} No file exists"])
    }

    @Test func changesOfTheDaemonEndIdle() throws {
        for (part, value, subsystem) in [
            (
                StatusPart.player, ["state": "playing", "volume": 80, "instant": 1, "position": 20, "duration": 40],
                "player"
            ),
            (.outputs, [], "output"), (.playlists, .null, "stored_playlist"),
        ] as [(StatusPart, JSONValue, String)] {
            try client.send("idle\n")
            served.publish(part, value)
            try expectEqual(client.answer(), ["changed: \(subsystem)", "OK"])
        }
        served.stop()
        try client.waitForEnd()
    }

    @Test func aLongListOfOneClientLetsOthersHaveTheirTurns() throws {
        let other = try MPDClient(path: socket)
        let pings = String(repeating: "ping\n", count: 20_000)
        try client.send("command_list_begin\nshuffle\n" + pings + "command_list_end\n")
        while served.daemon.calls(of: ShuffleQueue.self).isEmpty {}
        var turns = 0
        while turns < 5 || !waitForDescriptors(readable: client.raw, until: .distantPast) {
            try expectEqual(other.ask("ping"), ["OK"])
            turns += 1
            if turns == 5 {
                let isDone = waitForDescriptors(readable: client.raw, until: .distantPast)
                #expect(!isDone, "the list was executed in one turn")
            }
        }
        try expectEqual(client.answer(), ["OK"])
    }
}
