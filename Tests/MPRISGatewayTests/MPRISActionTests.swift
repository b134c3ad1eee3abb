import ControlLanguage
import ControlProtocol
import PodcastModel
import SessionBus
import TestSupport
import Testing

@testable import MPRISGateway

let start = Instant(nanoseconds: 1_000_000_000)

/// A state in which an entry of two plays.
func playing(
    _ state: PlayerReply.State = .playing, entry: Int64 = 4, position: Double = 10,
    permission: CommandDeclaration.Permission? = .control
) -> MPRISState {
    var result = MPRISState()
    result.permission = permission
    result.player.state = state
    result.player.episode = PlayerReply.PlayingEpisode {
        ($0.id, $0.entry, $0.title) = (EpisodeID(40 + entry), EntryID(entry), "Episode \(entry)")
    }
    result.player.feed = PlayerReply.PlayingFeed { ($0.id, $0.title) = (FeedID(1), "Show") }
    result.player.position = MediaTime(seconds: position)
    result.player.instant = start
    result.player.pace = state == .playing ? 1 : 0
    result.player.duration = MediaTime(seconds: 600)
    result.queue = QueueExtent(length: 2, index: 1, revision: 7)
    result.player.upcoming.next = NextReply()
    return result
}

/// The details of the entry 4.
let details = EpisodeReply(
    Episode(
        id: EpisodeID(44), feed: FeedID(1), feedTitle: "Show", title: "Episode 4",
        enclosure: Enclosure(url: "http://host/44.mp3"), published: Timestamp(seconds: 0)))

@Suite struct MPRISActionTests {
    private static let player = "org.mpris.MediaPlayer2.Player"

    private func command(_ command: some Command) -> MPRISAction {
        .command(method: type(of: command).name, params: command.params)
    }

    private func act(_ state: MPRISState, _ member: String, _ arguments: BusValue..., on interface: String = player)
        -> MPRISAction
    {
        state.action(for: interface, member, arguments, at: start)
    }

    /// Calls a method while an episode plays.
    private func act(_ member: String, _ argument: BusValue? = nil) -> MPRISAction {
        playing().action(for: Self.player, member, [argument].compactMap(\.self), at: start)
    }

    @Test func methodsOfThePlayerAreCommands() {
        expectEqual(act("Pause"), command(Pause()))
        expectEqual(act(playing(.paused), "Play"), command(Play()))
        expectEqual(act("PlayPause"), command(TogglePlayback()))
        expectEqual(act("Stop"), command(Stop()))
        expectEqual(act("Next"), command(PlayNext()))
        expectEqual(act("Previous"), command(PlayPrevious()))
        expectEqual(
            act("Seek", .int64(-5_000_000)), command(Seek { $0.time = .relative(MediaTime(seconds: -5)) }))
        expectEqual(
            act(playing(), "SetPosition", .path("/org/podcastd/entry/4"), .int64(90_500_000)),
            command(Seek { $0.time = .absolute(MediaTime(seconds: 90.5)) }))
        expectEqual(act("OpenUri", .string("https://host/a.mp3")), .openURL("https://host/a.mp3"))
        expectEqual(act("OpenUri", .string("file:///a%20b.mp3")), .openFile("/a b.mp3"))
    }

    @Test func methodsWithoutAPossibleEffectAreAnsweredWithoutACommand() {
        var last = playing()
        last.player.upcoming.next = nil
        var empty = MPRISState()
        empty.permission = .control
        var unknownLength = playing()
        unknownLength.player.duration = nil
        let calls: [MPRISAction] = [
            act("Play"), act(playing(.paused), "Pause"), act(playing(.stopped), "Stop"), act(last, "Next"),
            act(empty, "Play"), act(empty, "PlayPause"), act(empty, "Previous"), act("Seek", .int64(0)),
            act(unknownLength, "Seek", .int64(1)),
            // Of another track, of none, before the beginning, after the end.
            act(playing(), "SetPosition", .path("/org/podcastd/entry/5"), .int64(1)),
            act(playing(), "SetPosition", .path("/org/podcastd/entry/04"), .int64(1)),
            act(playing(), "SetPosition", .path("/org/mpris/MediaPlayer2/TrackList/NoTrack"), .int64(1)),
            act(playing(), "SetPosition", .path("/org/podcastd/entry/4"), .int64(-1)),
            act(playing(), "SetPosition", .path("/org/podcastd/entry/4"), .int64(600_000_001)),
        ]
        for (index, action) in calls.enumerated() { expectEqual(action, .reply([]), "\(index)") }
    }

    @Test func extremeOffsetsAreLimited() {
        for offset in [Int64.min, .max] {
            guard case .command(let method, _) = act("Seek", .int64(offset)) else {
                Issue.record("no command")
                continue
            }
            expectEqual(method, Seek.name)
        }
    }

    @Test func callsThatAreWrongAreRefused() {
        func fault(_ action: MPRISAction) -> String? {
            if case .fail(let fault) = action { fault.texts.name } else { nil }
        }
        let error = "org.freedesktop.DBus.Error."
        expectEqual(fault(act("Seek", .double(1))), error + "InvalidArgs")
        expectEqual(fault(act("Seek")), error + "InvalidArgs")
        expectEqual(fault(act("Explode")), error + "UnknownMethod")
        expectEqual(fault(act(playing(), "Play", on: "org.example")), error + "UnknownInterface")
        for uri in [
            "gopher://host/", "http:/host", "file://other/a.mp3", "file:a", "", "https://host/\n",
        ] {
            expectEqual(fault(act("OpenUri", .string(uri))), error + "NotSupported", "\(uri)")
        }
        let properties = "org.freedesktop.DBus.Properties"
        let set = { (name: String, value: BusValue) in
            fault(act(playing(), "Set", .string(Self.player), .string(name), .variant(value), on: properties))
        }
        expectEqual(set("Metadata", .dictionary([])), error + "PropertyReadOnly")
        expectEqual(set("Volume", .int64(1)), error + "InvalidArgs")
        expectEqual(set("Volume", .double(.nan)), error + "InvalidArgs")
        expectEqual(set("Rate", .double(.infinity)), error + "InvalidArgs")
        expectEqual(set("LoopStatus", .string("Track")), error + "NotSupported")
        expectEqual(set("Nothing", .bool(true)), error + "UnknownProperty")
        expectEqual(fault(act(playing(permission: nil), "Play")), error + "Failed")
        expectEqual(fault(act(playing(permission: nil), "OpenUri", .string("http://host/"))), error + "Failed")
    }

    @Test func withoutPermissionTheDaemonSaysWhyNot() {
        expectEqual(act(playing(.paused, permission: .read), "Play"), command(Pause()))
    }

    @Test(
        arguments: [
            ("Volume", .double(0.5), SetVolume { $0.level = 50 }), ("Volume", .double(-3), SetVolume { $0.level = 0 }),
            ("Volume", .double(7), SetVolume { $0.level = 100 }), ("Rate", .double(1.5), SetSpeed { $0.speed = 1.5 }),
            ("Rate", .double(0), Pause()), ("Shuffle", .bool(true), ShuffleQueue()), ("Shuffle", .bool(false), nil),
            ("LoopStatus", .string("None"), nil),
        ] as [(String, BusValue, (any Command)?)])
    func settablePropertiesAreCommands(_ name: String, _ value: BusValue, _ expected: (any Command)?) {
        let action = act(
            playing(), "Set", .string(Self.player), .string(name), .variant(value),
            on: "org.freedesktop.DBus.Properties")
        expectEqual(action, expected.map { .command(method: type(of: $0).name, params: $0.params) } ?? .reply([]))
    }
}
