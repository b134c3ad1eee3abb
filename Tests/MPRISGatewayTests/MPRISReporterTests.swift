import ControlLanguage
import ControlProtocol
import PodcastModel
import SessionBus
import TestSupport
import Testing

@testable import MPRISGateway

@Suite struct MPRISPropertyTests {
    private func properties(_ state: MPRISState, after delay: Duration = .zero) -> [String: BusValue] {
        let action = state.action(
            for: "org.freedesktop.DBus.Properties", "GetAll", [.string("org.mpris.MediaPlayer2.Player")],
            at: start + delay)
        guard case .reply(let values) = action, case .dictionary(let members)? = values.first else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    }

    private func metadata(_ state: MPRISState) -> [String: BusValue] {
        guard case .dictionary(let members)? = properties(state)["Metadata"] else { return [:] }
        return Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.value) })
    }

    @Test(
        arguments: [
            (.playing, "Playing"), (.loading, "Playing"), (.buffering, "Playing"), (.paused, "Paused"),
            (.stopped, "Stopped"),
        ] as [(PlayerReply.State, String)])
    func theStatusHasThreeValues(_ state: PlayerReply.State, _ status: String) {
        expectEqual(properties(playing(state))["PlaybackStatus"], .string(status))
    }

    @Test func thePositionIsComputedFromTheLastOneAndThePace() {
        var state = playing(position: 10)
        state.player.pace = 1.5
        expectEqual(properties(state, after: .seconds(4))["Position"], .int64(16_000_000))
        expectEqual(properties(playing(.paused, position: 10), after: .seconds(4))["Position"], .int64(10_000_000))
        expectEqual(properties(playing(position: 599), after: .seconds(9))["Position"], .int64(600_000_000))
        expectEqual(properties(MPRISState())["Position"], .int64(0))
    }

    @Test func whatIsPossibleIsSaid() {
        let names = ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek"]
        func possible(_ state: MPRISState) -> [Bool] { names.map { properties(state)[$0] == .bool(true) } }
        expectEqual(possible(playing()), [true, true, true, true, true])
        expectEqual(possible(playing(permission: .read)), [false, false, false, false, false])
        expectEqual(possible(playing(permission: nil)), [false, false, false, false, false])
        var stopped = playing(.stopped)
        stopped.player.upcoming.next = nil
        expectEqual(possible(stopped), [true, true, true, true, false])
        stopped.queue.index = 2
        expectEqual(possible(stopped), [false, true, true, true, false])
        var queued = MPRISState()
        queued.permission = .control
        expectEqual(possible(queued), [false, false, false, false, false])
        queued.queue.length = 1
        expectEqual(possible(queued), [true, false, true, false, false])
    }

    @Test func metadataHasTheShowAsArtistAndAlbum() {
        var state = playing()
        state.episode = details
        (state.summary, state.cover) = ("About boats.", "file:///run/cover.jpg")
        let metadata = metadata(state)
        expectEqual(metadata["mpris:trackid"], .path("/org/podcastd/entry/4"))
        expectEqual(metadata["mpris:length"], .int64(600_000_000))
        expectEqual(metadata["mpris:artUrl"], .string("file:///run/cover.jpg"))
        expectEqual(metadata["xesam:title"], .string("Episode 4"))
        expectEqual(metadata["xesam:album"], .string("Show"))
        expectEqual(metadata["xesam:artist"], .strings(["Show"]))
        expectEqual(metadata["xesam:url"], .string("http://host/44.mp3"))
        expectEqual(metadata["xesam:contentCreated"], .string("1970-01-01T00:00:00Z"))
        expectEqual(metadata["xesam:comment"], .strings(["About boats."]))
        #expect(self.metadata(MPRISState()).isEmpty)
    }

    @Test func textOfFeedsCannotContainControlCharacters() {
        var state = playing()
        state.player.episode?.title = "A\u{0}B\u{1b}[31m\n\u{202e}C"
        state.player.feed?.title = "\u{7}"
        let metadata = metadata(state)
        expectEqual(metadata["xesam:title"], .string("AB[31m C"))
        expectEqual(metadata["xesam:artist"], nil)
    }

    @Test func detailsOfAnotherEpisodeAreNotShown() {
        var state = playing(entry: 5)
        state.episode = details
        state.cover = "file:///cover.jpg"
        expectEqual(metadata(state)["xesam:url"], nil)
        expectEqual(metadata(state)["mpris:artUrl"], nil)
    }

    @Test func introspectionNamesEveryMember() {
        let xml = MPRISInterface.introspection
        for interface in MPRISInterface.all {
            expectContains(xml, "<interface name=\"\(interface.name)\">")
            for name in interface.properties.map(\.name) + interface.methods.map(\.name) + interface.signals.map(\.name)
            {
                expectContains(xml, "name=\"\(name)\"", "\(name)")
            }
        }
        expectContains(xml, "<property name=\"Volume\" type=\"d\" access=\"readwrite\"/>")
    }

    @Test func everyValueHasTheDeclaredType() {
        for state in [MPRISState(), playing()] {
            for interface in MPRISInterface.all {
                for property in interface.properties {
                    expectEqual(property.value(state).signature, property.signature, "\(property.name)")
                }
            }
        }
    }
}

extension [MPRISSignal] {
    /// The properties that are reported as changed, and the names of other signals.
    fileprivate var names: [String] {
        flatMap { signal -> [String] in
            guard signal.member == "PropertiesChanged" else { return [signal.member] }
            guard case .dictionary(let changed) = signal.values[1] else { return [] }
            return changed.map(\.name)
        }
    }
}

extension MPRISReporter {
    fileprivate mutating func names(_ state: MPRISState, at now: Instant = start) -> [String] {
        signals(for: state, at: now).names
    }
}

@Suite struct MPRISReporterTests {
    @Test func onlyWhatChangedIsReported() {
        var reporter = MPRISReporter(playing())
        _ = reporter.signals(for: playing(.paused), at: start)
        reporter = MPRISReporter(playing(.paused))
        var state = playing(.paused)
        #expect(reporter.names(state).isEmpty)
        state.player.volume = 40
        expectEqual(reporter.names(state).filter { $0 != "Seeked" }, ["Volume"])
        state.player.buffer.fill = 0.5
        #expect(reporter.names(state).isEmpty)
        state.player.speed = 1.149_999_999_999_999_9
        expectEqual(state.rate, 1.15)
        _ = reporter.signals(for: state, at: start)
        state.player.speed = 2
        expectEqual(reporter.names(state), ["Rate"])
    }

    @Test func aJumpIsReportedAndNormalProgressIsNot() {
        var reporter = MPRISReporter()
        var state = playing(position: 0)
        #expect(!reporter.names(state).contains("Seeked"))
        // Ten seconds later at normal speed.
        (state.player.position, state.player.instant) = (MediaTime(seconds: 10), start + .seconds(10))
        #expect(reporter.names(state, at: start + .seconds(10)).isEmpty)
        // Ten seconds of listening, and a seek of thirty more.
        (state.player.position, state.player.instant) = (MediaTime(seconds: 50), start + .seconds(20))
        let signals = reporter.signals(for: state, at: start + .seconds(20))
        expectEqual(signals, [MPRISSignal(.player, "Seeked", [.int64(50_000_000)])])
        // At the pause the position stands still.
        (state.player.state, state.player.pace, state.player.instant) = (.paused, 0, start + .seconds(20))
        expectEqual(reporter.names(state, at: start + .seconds(20)), ["PlaybackStatus"])
        (state.player.state, state.player.pace, state.player.instant) = (.playing, 1, start + .seconds(99))
        expectEqual(reporter.names(state, at: start + .seconds(99)), ["PlaybackStatus"])
    }

    @Test func aTrackThatResumesAtItsSavedPositionIsReportedAsAJump() {
        var reporter = MPRISReporter()
        expectContains(reporter.names(playing(.loading, entry: 4, position: 0)), "PlaybackStatus")
        expectEqual(reporter.signals(for: playing(entry: 4, position: 300), at: start).map(\.member), ["Seeked"])
        let next = reporter.names(playing(entry: 5, position: 0))
        #expect(next.contains("Metadata") && !next.contains("Seeked"))
        // From stopped, other programs expect the beginning.
        _ = reporter.signals(for: playing(.stopped, entry: 5, position: 80), at: start)
        expectContains(reporter.names(playing(entry: 5, position: 80)), "Seeked")
    }

    @Test func titleLengthAndPositionOfTheNextEpisodeAreReportedTogether() {
        var state = playing(entry: 4, position: 62)
        var reporter = MPRISReporter()
        _ = reporter.signals(for: state, at: start)
        // The queue is asked for an entry, then the library for its episode.
        for entry in [nil, EntryID(5)] {
            var next = playing(.loading, entry: 5, position: 0).player
            (next.duration, next.feed) = (nil, nil)
            next.episode = entry.map { entry in .init { ($0.id, $0.entry) = (EpisodeID(45), entry) } }
            state.update(next)
            #expect(state.isLookingUp && reporter.signals(for: state, at: start).isEmpty)
        }
        state.update(playing(.loading, entry: 5, position: 300).player)
        #expect(!state.isLookingUp)
        let signals = reporter.signals(for: state, at: start)
        expectEqual(signals.names.filter { ["Metadata", "Seeked"].contains($0) }, ["Metadata", "Seeked"])
        expectEqual(signals.last?.values, [.int64(300_000_000)])
        state.update(PlayerReply())
        #expect(!state.isLookingUp && reporter.names(state).contains("PlaybackStatus"))
    }

    @Test func bufferingIsAJumpOnceTheAssumedPositionIsWrong() {
        var reporter = MPRISReporter()
        var state = playing(position: 0)
        _ = reporter.signals(for: state, at: start)
        (state.player.state, state.player.pace) = (.buffering, 0)
        #expect(reporter.names(state).isEmpty)
        (state.player.state, state.player.pace, state.player.instant) = (.playing, 1, start + .seconds(5))
        expectEqual(reporter.names(state, at: start + .seconds(5)), ["Seeked"])
    }

    @Test func aDaemonThatEndsLeavesAStoppedPlayer() {
        var state = playing()
        state.player.volume = 30
        var reporter = MPRISReporter(state)
        state.loseDaemon()
        let names = reporter.names(state)
        #expect(names.contains("PlaybackStatus") && names.contains("Metadata") && names.contains("CanPlay"))
        #expect(!names.contains("Volume") && !names.contains("Seeked"))
    }
}
