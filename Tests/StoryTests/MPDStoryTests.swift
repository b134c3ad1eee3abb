import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import MachineSupport
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// Lines of MPD's protocol with a real daemon.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct MPDStoryTests {
    private let daemon: RunningDaemon
    private let published: PublishedFeed

    init() throws {
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(
            title: "Talks/1", episodes: [("Alpha", audio), ("Beta", audio), ("Gamma&#10;OK", audio)])
        daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
    }

    private func gateway(_ settings: String = "") throws -> RunningGateway {
        try RunningGateway("podcast-mpd", daemon: daemon.socketPath, in: daemon.scratch, settings: settings)
    }

    @Test func showsAreFoldersAndEpisodesAreSongs() throws {
        let gateway = try gateway()
        let client = try MPDClient(path: gateway.socketPath)
        expectEqual(client.greeting, "OK MPD 0.23.5")
        let songs = try client.ask(#"lsinfo "Talks-1""#).filter { $0.hasPrefix("Title: ") }
        expectEqual(songs, ["Title: Alpha", "Title: Beta", "Title: Gamma OK"])
        try expectContains(client.ask(#"search title "bet""#), "Title: Beta")
        try expectContains(client.ask("listplaylistinfo new"), "Title: Alpha")
        try expectContains(client.ask("stats"), "songs: 3")
        expectEqual(gateway.stop(), .exited(0))
    }

    @Test func theStatusHasTheFormatOfWhatPlays() throws {
        let client = try daemon.connect(watching: .player)
        let gateway = try gateway()
        let player = try MPDClient(path: gateway.socketPath)
        try expectEqual(player.value("audio", "status"), nil)
        let audio = try #require(try client.play("Alpha").audio)
        expectEqual(audio.codec, "mp3")
        let bits = audio.samples == "int16" ? "16" : "f"
        // The gateway may hear of it a moment later.
        while try player.value("audio", "status") == nil {}
        try expectEqual(player.value("audio", "status"), "\(audio.rate):\(bits):\(audio.channels)")
        try expectEqual(player.value("bitrate", "status"), audio.bitRate.map { "\(($0 + 500) / 1000)" })
        try client.call(Stop())
        while try player.value("state", "status") != "stop" {}
        try expectEqual(player.value("audio", "status"), nil)
    }

    @Test func previousAtTheFirstEntryBringsNothingBackIntoTheQueue() throws {
        let client = try daemon.connect(watching: .player, .queue)
        try client.call(AddToQueue { $0.what = ["Alpha", "Beta"] })
        try daemon.play("1", "--position", "0:39")
        try client.player { $0.state == .playing && $0.episode?.title == "Beta" }
        try client.queue { $0.length == 1 }
        let gateway = try gateway()
        let player = try MPDClient(path: gateway.socketPath)
        try expectEqual(player.ask("seekcur 3"), ["OK"])
        try expectEqual(player.ask("previous"), ["OK"])
        #expect(try player.value("playlistlength", "status") == "1" && player.value("song", "status") == "0")
        try expectContains(player.ask("currentsong"), "Title: Beta")
    }

    @Test func theLengthOfAFileIsInTheQueueOnceItIsDecoded() throws {
        let client = try daemon.connect(watching: .player)
        let gateway = try gateway()
        let player = try MPDClient(path: gateway.socketPath)
        try client.call(AddToQueue { $0.what = ["Alpha"] })
        try expectEqual(player.value("duration", "playlistinfo 0"), nil)
        _ = try client.play("Alpha")
        // The gateway may hear of it a moment later.
        while try player.value("duration", "playlistinfo 0") == nil {}
        try expectContains(player.ask("add \"Talks-1\"").last ?? "", "OK")
        try expectContains(player.ask("add \"Talks-1\"").last ?? "", "or all are in the queue already")
    }

    @Test func whatAClientChangesItSeesAtOnce() throws {
        let gateway = try gateway()
        let (client, watcher) = (
            try MPDClient(path: gateway.socketPath), try MPDClient(path: gateway.socketPath)
        )
        let uris = try client.ask("listall").filter { $0.hasPrefix("file: ") }.map { $0.dropFirst(6) }
        try watcher.send("idle playlist player mixer\n")
        let id = try #require(try client.value("Id", "addid \"\(uris[0])\""))
        try expectEqual(watcher.answer(), ["changed: playlist", "OK"])
        try client.send(
            "command_list_begin\n" + uris.dropFirst().map { "add \"\($0)\"\n" }.joined() + "command_list_end\n")
        try expectEqual(client.answer(), ["OK"])
        try expectEqual(client.value("playlistlength", "status"), "3")
        let version = try #require(try client.value("playlist", "status"))
        try expectEqual(client.ask("move 2 0"), ["OK"])
        try expectEqual(client.ask("plchanges \(version)").filter { $0.hasPrefix("Pos") }.count, 3)
        try expectContains(client.ask("playlistid \(id)"), "Pos: 1")
        try expectEqual(client.ask("playid \(id)"), ["OK"])
        try expectEqual(client.value("songid", "status"), id)
        try expectEqual(client.ask("pause 1"), ["OK"])
        try expectEqual(client.value("state", "status"), "pause")
        try expectEqual(client.ask("seekcur 20"), ["OK"])
        let elapsed = try #require(try client.value("elapsed", "status").flatMap { Double($0) })
        #expect((19...22).contains(elapsed))
        #expect(try client.ask("delete 0:1") == ["OK"] && client.value("playlistlength", "status") == "2")
        #expect(try client.ask("swap 0 1") == ["OK"] && client.ask("playlistid \(id)").contains("Pos: 1"))
        #expect(try client.ask("deleteid \(id)") == ["OK"] && client.value("playlistlength", "status") == "1")
        #expect(try client.ask("clear") == ["OK"] && client.value("state", "status") == "stop")
        try expectEqual(client.ask("load new"), ["OK"])
    }

    @Test func anUpdateRefreshesFeedsAndSaysWhenItHasEnded() throws {
        let gateway = try gateway()
        let client = try MPDClient(path: gateway.socketPath)
        let number = try #require(try client.value("updating_db", "rescan"))
        while try client.value("updating_db", "status") == number { _ = try client.ask("idle update") }
        #expect(published.feed.requests.count > 1)
        // Nothing new has come, so clients need not read the library again.
        try client.send("idle database sticker\nnoidle\n")
        try expectEqual(client.answer(), ["OK"])
    }

    @Test func idleTellsWhatChangedOnceAndNothingElse() throws {
        let gateway = try gateway()
        let client = try MPDClient(path: gateway.socketPath)
        let uris = try client.ask("listall").filter { $0.hasPrefix("file: ") }.map { $0.dropFirst(6) }
        for uri in uris { _ = try client.ask("add \"\(uri)\"") }
        try expectEqual(client.ask("play 0"), ["OK"])
        // The gateway learns a moment later than the daemon that there is sound; then its time runs.
        while try ["0.000", nil].contains(client.value("elapsed", "status")) {}
        // The measured duration is a change of the player, too. After a command the gateway reads the state again.
        let direct = try daemon.connect()
        let playing = try #require(try direct.call(GetStatus()).player.episode?.title)
        while try direct.call(ShowEpisode { $0.episode = playing }).episode.episode.duration == nil {}
        for command in ["setvol 50", "status"] { _ = try client.ask(command) }
        let watcher = try MPDClient(path: gateway.socketPath)
        for (command, changed) in [
            ("pause 1", "player"), ("seekcur 20", "player"), ("setvol 40", "mixer"),
            ("sticker set song \"\(uris[1])\" starred 1", "sticker"),
            ("sticker set song \"\(uris[0])\" starred 1", "sticker"), ("delete 2", "playlist"),
        ] {
            try watcher.send("idle\n")
            try expectEqual(client.ask(command), ["OK"])
            try expectEqual(watcher.answer(), ["changed: \(changed)", "OK"], "\(command)")
        }
        try daemon.connect().call(Unsubscribe { $0.feeds = ["Talks/1"] })
        _ = try client.ask("idle database")
    }

    @Test func optionsAreSettingsThatNeedThePermissionAdmin() throws {
        let gateway = try gateway()
        let client = try MPDClient(path: gateway.socketPath)
        try expectContains(client.ask("consume 0")[0], "needs the permission admin")
        let owner = try self.gateway("[server]\nlocal = admin\n")
        let admin = try MPDClient(path: owner.socketPath)
        try admin.send("idle options\n")
        let other = try MPDClient(path: owner.socketPath)
        #expect(try other.ask("consume 0") == ["OK"] && other.value("consume", "status") == "0")
        try expectEqual(admin.answer(), ["changed: options", "OK"])
        #expect(try other.ask("consume 1") == ["OK"] && other.value("consume", "status") == "1")
        #expect(
            try other.ask("replay_gain_mode auto") == ["OK"]
                && other.value("replay_gain_mode", "replay_gain_status") == "track")
    }

    @Test func aPageThatSendsARequestOfHTTPExecutesNothing() throws {
        let gateway = try RunningGateway("podcast-mpd", daemon: daemon.socketPath, in: daemon.scratch, hasPort: true)
        let client = try MPDClient(path: gateway.socketPath)
        let uri = try #require(try client.value("file", "listall"))
        _ = try client.ask("add \"\(uri)\"")
        // Shown by the exit status: 52 is "empty reply", 56 "failure with receiving".
        let curl = try Programs.run(
            Launch(
                RequiredTool.curl.path(),
                [
                    "-s", "--http0.9", "-X", "POST", "-H", "Content-Type: text/plain", "--data-binary",
                    "clear\nsetvol 33\n", "http://127.0.0.1:\(gateway.port)/",
                ], environment: ["PATH=/usr/bin:/bin"]))
        expectEqual(curl.output, "OK MPD 0.23.5\n")
        #expect(try client.value("playlistlength", "status") == "1" && client.value("volume", "status") != "33")
    }

    @Test func aLongCommandListLetsOthersHaveTheirTurn() throws {
        let gateway = try gateway()
        let (client, greedy) = (
            try MPDClient(path: gateway.socketPath), try MPDClient(path: gateway.socketPath)
        )
        let count = 5_000
        try greedy.send(
            "command_list_begin\n" + String(repeating: "status\n", count: count)
                + "setvol 33\ncommand_list_end\n")
        #expect(try client.value("volume", "status") != "33", "the list waits until its answers are read")
        try expectEqual(greedy.answer().filter { $0.hasPrefix("state:") }.count, count)
        try expectEqual(client.value("volume", "status"), "33")
    }

    @Test func aSearchEndsWithItsClient() throws {
        let many = try PublishedFeed(title: "Many", episodes: (0..<1_100).map { ("Number \($0)", []) })
        try daemon.connect().call(Subscribe { $0.urls = [many.feed.url] })
        let gateway = try gateway()
        for (search, isAnswered) in [(#"find album "Talks/1" title x"#, true), ("search title x", false)] {
            let client = try MPDClient(path: gateway.socketPath)
            // The daemon answers nothing before the client has ended.
            daemon.process.signal(SIGSTOP)
            try client.send(search + "\n")
            LocalSocket.endSending(client.raw)
            daemon.process.signal(SIGCONT)
            if isAnswered { try expectEqual(client.answer(), ["OK"]) }
            #expect(throws: MPDClient.Ended.self, "\(search)") { try client.answer() }
        }
    }

    @Test func aPasswordIsNeededForMoreThanIsAllowed() throws {
        let hash = try passwordHash(by: "podcast-mpd", in: daemon.scratch)
        let gateway = try gateway("[server]\nlocal = none\n[passwords]\nphone = control \(hash)")
        let client = try MPDClient(path: gateway.socketPath)
        try expectEqual(client.ask("ping"), ["OK"])
        try expectEqual(client.ask("status"), [#"ACK [4@0] {status} you don't have permission for "status""#])
        try expectEqual(client.ask("password tea"), ["ACK [3@0] {password} incorrect password"])
        try expectEqual(client.ask(#"password "open sesame""#), ["OK"])
        try expectEqual(client.ask("clear"), ["OK"])
        let thief = try MPDClient(path: gateway.socketPath)
        for _ in 0..<5 { try expectEqual(thief.ask("password tea"), ["ACK [3@0] {password} incorrect password"]) }
        for _ in 0..<50 {
            #expect(
                try thief.ask(#"password "open sesame""#)[0].hasPrefix("ACK [3@0] {password} too many wrong passwords"))
        }
        try expectEqual(client.ask("status").last, "OK")
    }

    @Test func clientsSeeARestartOfTheDaemonAsOneOfMPD() throws {
        let gateway = try gateway()
        let client = try MPDClient(path: gateway.socketPath)
        try client.send("idle\n")
        daemon.kill()
        try client.waitForEnd()
        let again = try RunningDaemon(in: daemon.scratch)
        let next = try MPDClient(path: gateway.socketPath)
        try expectEqual(next.ask("status").last, "OK")
        withExtendedLifetime(again) {}
    }

    @Test func hostileClientsHarmNobody() throws {
        let gateway = try gateway()
        let honest = try MPDClient(path: gateway.socketPath)
        let long = try MPDClient(path: gateway.socketPath)
        try? long.send(String(repeating: "x", count: 200_000))
        try long.waitForEnd()
        let list = try MPDClient(path: gateway.socketPath)
        try? list.send(
            "command_list_begin\n" + String(repeating: "add \(String(repeating: "y", count: 50_000))\n", count: 50))
        try list.waitForEnd()
        let nul = try MPDClient(path: gateway.socketPath)
        #expect(try nul.ask("add a\u{0}b")[0].hasPrefix("ACK"))
        #expect(try nul.ask(#"find "((((((""#)[0].hasPrefix("ACK [2@0] {find}"))
        // A client that sends and never reads.
        let deaf = try MPDClient(path: gateway.socketPath)
        LocalSocket.setTimeouts(deaf.raw, .milliseconds(200))
        for _ in 0..<2_000 { guard (try? deaf.send("listallinfo\n")) != nil else { break } }
        try expectEqual(honest.ask("status").last, "OK")
    }
}
