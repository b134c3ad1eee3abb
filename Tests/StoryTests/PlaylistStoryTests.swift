import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import MachineSupport
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// Playlists by hand and of several filters, as they are typed and as clients of MPD see them.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct PlaylistStoryTests {
    private let published: PublishedFeed
    private let daemon: RunningDaemon

    init() throws {
        let bytes = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(title: "Talks", episodes: (1...5).map { ("Part \($0)", bytes) })
        daemon = try RunningDaemon()
        try daemon.connect().call(Subscribe { $0.urls = [published.feed.url] })
    }

    private func tool(_ words: String...) throws -> String {
        let run = try Programs.run("podcastctl", ["--socket", daemon.socketPath] + words)
        expectEqual(run.status, 0, "\(words): \(run.errors)")
        return run.output
    }

    private func parts(_ name: String) throws -> String {
        try tool("playlist", name, "--format", "{title}").split(separator: "\n").map { $0.dropFirst(5) }.joined()
    }

    @Test func aPlaylistByHandIsMadeEditedPlayedAndUndone() throws {
        try expectContains(
            tool("playlist", "trip", "add", "Part 3", "Part 1"), "added 2 episodes (2 in the playlist)\n")
        _ = try tool("playlist", "trip", "insert", "1", "Part 5")
        try expectContains(tool("playlist", "Trip", "add", "Part 5", "Part 2"), "added 1 episode, 1 there already (4")
        try expectEqual(parts("trip"), "5312")
        try expectEqual(tool("playlist", "trip", "move", "Part 2", "1"), "moved 'Part 2' to #1\n")
        try expectEqual(tool("playlist", "trip", "remove", "2"), "removed 'Part 5' (3 in the playlist)\n")
        try expectEqual(parts("trip"), "231")
        try expectContains(tool("undo"), "undid playlist: trip as before")
        try expectEqual(parts("trip"), "2531")
        try expectContains(tool("redo"), "redid playlist: trip is changed")
        try expectContains(tool("playlists"), "by:hand")
        _ = try tool("playlist", "trip", "rename", "Journey")
        try expectOutcome(daemon.ctl("playlist", "trip"), 66, errors: "no playlist matches 'trip'", "Journey")
        let client = try daemon.connect(watching: .player)
        _ = try tool("play", "playlist:journey", "--from", "2")
        try expectEqual(client.player(.playing).episode?.title, "Part 3")
        let queue = try client.call(ListQueue()).entries.compactMap { $0.episode?.episode.title }
        expectEqual(queue, ["Part 3", "Part 1"])
        _ = try tool("playlist", "journey", "clear")
        try expectEqual(parts("journey"), "")
        _ = try tool("playlist", "journey", "delete")
        try expectOutcome(
            daemon.ctl("playlist", "journey", "move", "1", "2"), 66, errors: "no playlist matches 'journey'")
        for _ in 1...2 { _ = try tool("undo") }
        try expectEqual(parts("journey"), "231")
    }

    @Test func episodesAreSavedAsAPlaylistAndFiltersAreNotEdited() throws {
        let ids = try [4, 2].map { part in
            try tool("episodes", "--search", "Part \(part)", "--format", "{id}").trimmingCharacters(
                in: .whitespacesAndNewlines)
        }
        try expectContains(tool("playlist", "two", "save", ids[0], ids[1]), "saved two: by:hand; 2 episodes now")
        try expectEqual(parts("two"), "42")
        try expectOutcome(
            daemon.ctl("playlist", "two", "save", ids[0], "is:new"), 64, errors: "either a filter or a list")
        _ = try tool("playlist", "all", "save", "feed:f1 order:oldest")
        try expectEqual(parts("all"), "54321")
        try expectOutcome(daemon.ctl("playlist", "all", "add", ids[0]), 65, errors: "'all' is a filter")
        try expectOutcome(daemon.ctl("playlist", "new", "add", ids[0]), 64, errors: "built-in playlist")
        try expectOutcome(daemon.ctl("playlist", "two", "--order", "oldest"), 64, errors: "'two' has its own order")
        _ = try tool("playlist", "two", "save", "by:hand heard:leave")
        _ = try tool("mark", "played", "Part 4")
        try expectEqual(parts("two"), "2")
    }

    @Test func filtersInTurnsAreShownBeforeTheyAreSaved() throws {
        let mix = "order:newest feed:f1 order:oldest feed:f1"
        try expectEqual(parts("filter:\(mix)"), "15243")
        try expectContains(tool("playlist", "mix", "save", mix), "saved mix: \(mix); 5 episodes now")
        try expectEqual(parts("mix"), "15243")
        _ = try tool("add", "playlist:mix")
        let queue = try daemon.connect().call(ListQueue()).entries.compactMap { $0.episode?.episode.title.last }
        expectEqual(String(queue), "15243")
    }

    @Test func aPlaylistIsExportedAsM3UAndImportedAgain() throws {
        _ = try tool("playlist", "trip", "add", "Part 3", "Part 1")
        let file = daemon.scratch.path + "/trip.m3u"
        _ = try tool("playlist", "trip", "export", file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        expectContains(text, "#EXTM3U\n#PLAYLIST:trip\n#EXTINF:")
        expectContains(text, ",Talks - Part 3\nhttp://")
        try expectContains(tool("playlist", "again", "import", file), "added 2 episodes (2 in the playlist)\n")
        try expectEqual(parts("again"), "31")
        try expectContains(tool("playlist", "again", "import", file), "added 0 episodes, 2 there already")
        try expectOutcome(
            daemon.ctl("playlist", "again", "import", "/dev/null"), 65, errors: "no addresses of episodes")
    }

    @Test func clientsOfMPDEditStoredPlaylists() throws {
        _ = try tool("add", "Part 3", "Part 1")
        let gateway = try RunningGateway("podcast-mpd", daemon: daemon.socketPath, in: daemon.scratch, settings: "")
        let player = try MPDClient(path: gateway.socketPath)
        try expectEqual(player.ask("save mine"), ["OK"])
        try expectEqual(player.ask("save mine"), ["ACK [56@0] {save} Playlist already exists"])
        try expectEqual(player.ask("save other append"), ["ACK [50@0] {save} No such playlist"])
        let uris = try player.ask("listall").filter { $0.hasPrefix("file: ") }.map { $0.dropFirst(6) }
        try expectEqual(player.ask("playlistadd mine \"\(uris[4])\""), ["OK"])
        try expectEqual(player.ask("playlistadd mine \"\(uris[3])\" 0"), ["OK"])
        func titles() throws -> [String] {
            try player.ask("listplaylistinfo mine").filter { $0.hasPrefix("Title: ") }.map { String($0.dropFirst(7)) }
        }
        let ends = try uris.suffix(2).map { uri in
            try player.value("Title", "lsinfo \"\(uri)\"") ?? ""
        }
        try expectEqual(titles(), [ends[0], "Part 3", "Part 1", ends[1]])
        try expectEqual(player.ask("playlistmove mine 1 3"), ["OK"])
        try expectEqual(player.ask("playlistdelete mine 0"), ["OK"])
        try expectEqual(titles(), ["Part 1", ends[1], "Part 3"])
        try expectEqual(player.ask("rename mine yours"), ["OK"])
        try expectContains(player.ask("listplaylists"), "playlist: yours")
        try expectEqual(player.ask("clear"), ["OK"])
        try expectEqual(player.ask("load yours"), ["OK"])
        try expectEqual(player.value("playlistlength", "status"), "3")
        try expectEqual(player.ask("save yours replace"), ["OK"])
        try expectEqual(player.ask("playlistclear yours"), ["OK"])
        try expectEqual(player.ask("listplaylist yours"), ["OK"])
        try expectEqual(player.ask("rm yours"), ["OK"])
        expectEqual(gateway.stop(), .exited(0))
    }
}
