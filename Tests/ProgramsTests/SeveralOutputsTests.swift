import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A daemon with the outputs of a config file, as people with several rooms use it.
@Suite(.ownThread, .timeLimit(.minutes(10)))
struct SeveralOutputsTests {
    private let scratch: Scratch
    private let published: PublishedFeed

    init() throws {
        scratch = try Scratch()
        published = try PublishedFeed(episodes: [("Long", try minutesOfSpeech())])
    }

    private func daemon() throws -> RunningDaemon {
        let config = try scratch.file(
            "rooms.conf", "[outputs]\nkitchen = raw:\(scratch.path)/kitchen\nattic = raw:\(scratch.path)/attic\n")
        return try RunningDaemon(output: nil, in: scratch, arguments: ["--config", config])
    }

    private func bytes(_ room: String) -> Int {
        (try? Data(contentsOf: URL(filePath: scratch.path + "/" + room)))?.count { $0 != 0 } ?? 0
    }

    private func grows(_ room: String) {
        let before = bytes(room)
        while bytes(room) <= before {}
    }

    @Test func soundMovesFromRoomToRoomWhileItPlays() throws {
        let daemon = try daemon()
        let client = try daemon.connect(watching: .player, .outputs, subscribing: published.feed.url)
        try expectEqual(client.call(ListOutputs()).rows.map(\.name), ["kitchen", "attic"])
        try daemon.play("Long", watchedBy: client)
        for room in ["kitchen", "attic"] { grows(room) }
        try expectOutcome(daemon.ctl("output", "only", "attic"), 0)
        grows("attic")
        let silent = bytes("kitchen")
        grows("attic")
        expectEqual(bytes("kitchen"), silent)
        try expectOutcome(daemon.ctl("undo"), 0)
        for room in ["kitchen", "attic"] { grows(room) }
        try expectEqual(client.call(GetStatus()).player.state, .playing)
    }

    @Test func anOutputThatDoesNotWorkIsNamedAndTheOthersPlay() throws {
        let config = try scratch.file(
            "rooms.conf", "[outputs]\ncellar = alsa:no_such_device\nattic = raw:\(scratch.path)/attic\n")
        let log = scratch.path + "/log"
        let daemon = try RunningDaemon(output: nil, in: scratch, arguments: ["--config", config], log: log)
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        try daemon.play("Long", watchedBy: client)
        grows("attic")
        let outputs = try daemon.ctl("outputs").output
        expectContains(outputs, "no_such_device")
        try expectContains(#require(client.call(ListOutputs()).rows.last?.format), ":s16:")
        try expectOutcome(daemon.ctl("output", "add", "loft", "alsa:hw:CARD=NoSuchCard"), 0)
        let found = try daemon.ctl("doctor").output
        expectContains(found, "cellar (alsa:no_such_device)")
        expectContains(found, "loft (alsa:hw:CARD=NoSuchCard)")
        try expectContains(String(contentsOfFile: log, encoding: .utf8), "output cellar has failed: ")
    }

    @Test func theOnlyOutputThatPlaysPausesWhenItsLineIsRemoved() throws {
        let daemon = try daemon()
        let client = try daemon.connect(watching: .player, .outputs, subscribing: published.feed.url)
        try daemon.play("Long", watchedBy: client)
        try expectOutcome(daemon.ctl("output", "only", "kitchen"), 0)
        grows("kitchen")
        _ = try scratch.file("rooms.conf", "[outputs]\nattic = raw:\(scratch.path)/attic\n")
        daemon.process.signal(SIGHUP)
        try client.player(.paused)
        try expectOutcome(daemon.ctl("output", "enable", "attic"), 0)
        try client.player(.playing)
        grows("attic")
    }

    @Test func changesAtTheSameTimeAreAllApplied() throws {
        let daemon = try daemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        let other = try daemon.connect()
        try expectOutcome(daemon.ctl("output", "only", "kitchen"), 0)
        try daemon.play("Long", watchedBy: client)
        grows("kitchen")
        // Disabling the only output pauses first, and the other change comes meanwhile.
        other.begin(DisableOutput { $0.name = "kitchen" })
        try client.call(EnableOutput { $0.name = "attic" })
        // Replies come in the order of the calls, so this reply comes after the change.
        try other.call(ListOutputs())
        try expectEqual(other.call(ListOutputs()).rows.filter(\.isEnabled).map(\.name), ["attic"])
        try client.player(.playing)
        grows("attic")
    }

    @Test func aVolumeChangesByStepsAndADelayHasUnits() throws {
        let daemon = try daemon()
        func attic() throws -> OutputReply { try #require(daemon.connect().call(ListOutputs()).rows.last) }
        try expectOutcome(daemon.ctl("output", "volume", "attic", "40"), 0)
        try expectOutcome(daemon.ctl("output", "volume", "attic", "+5"), 0)
        try expectEqual(attic().volume, 45)
        try expectOutcome(daemon.ctl("output", "volume", "attic", "-50"), 0)
        try expectEqual(attic().volume, 0)
        for (text, milliseconds) in [("0.5s", 500), ("-80ms", -80), ("1s", 1_000), ("7ms", 7), ("0", 0)] {
            try expectOutcome(daemon.ctl("output", "delay", "attic", text), 0)
            try expectEqual(attic().delay, milliseconds, "\(text)")
        }
        for text in ["2s", "ms", "soon", "1e300s", "nan", "infs", "0.2", "80"] {
            try expectOutcome(daemon.ctl("output", "delay", "attic", text), 64, errors: "0.5s")
        }
        try expectEqual(daemon.ctl("output", "remove", "attic").status, 77)
        try expectOutcome(daemon.ctl("output", "add", "up/bath", "pulse:bath"), 0)
        try expectOutcome(daemon.ctl("output", "remove", "up"), 64, errors: "'up' is a group")
        try expectOutcome(daemon.ctl("output", "add", "porch", "null"), 0)
        try expectOutcome(daemon.ctl("output", "remove", "porch"), 0, output: "removed porch\n")
    }

    @Test func whatIsPlayedWithoutAnOutputSoundsWhenOneIsEnabled() throws {
        let daemon = try daemon()
        let client = try daemon.connect(watching: .player, subscribing: published.feed.url)
        for room in ["kitchen", "attic"] { try expectOutcome(daemon.ctl("output", "disable", room), 0) }
        let refused = try daemon.ctl("play", "Long")
        expectOutcome(refused, 69)
        expectContains(refused.errors, "podcastctl output enable NAME")
        try client.player { $0.state == .stopped && $0.error != nil }
        try expectOutcome(daemon.ctl("output", "enable", "attic"), 0)
        grows("attic")
        try client.player(.playing)
    }

    @Test func whatWasSetOfOutputsIsThereAfterACrash() throws {
        do {
            let daemon = try daemon()
            for line in [
                ["output", "volume", "attic", "40"], ["output", "delay", "attic", "80ms"],
                ["output", "disable", "kitchen"],
                ["output", "add", "porch", "null"],
            ] { try expectOutcome(daemon.ctl(line), 0) }
            daemon.kill()
        }
        let outputs = try daemon().connect().call(ListOutputs()).rows
        expectEqual(outputs.map(\.name), ["kitchen", "attic", "porch"])
        expectEqual(outputs.map(\.isEnabled), [false, true, true])
        #expect(outputs[1].volume == 40 && outputs[1].delay == 80)
    }

    @Test func twoOutputsWithOneDeviceAreRefused() throws {
        let daemon = try daemon()
        try expectOutcome(daemon.ctl("output", "add", "porch", "pulse:porch"), 0)
        try expectOutcome(
            daemon.ctl("output", "add", "garden", "pulse:porch"), 65,
            errors: "'porch' plays there already ('pulse:porch')")
        try expectOutcome(daemon.ctl("output", "add", "up", "snapcast:house"), 0)
        try expectOutcome(
            daemon.ctl("output", "add", "down", "snapcast:house:4953?control=99"), 65,
            errors: "'up' plays there already ('snapcast:house')")
        let config = try scratch.file("same.conf", "[outputs]\na = raw:/tmp/x\nb = raw:/tmp/x\n")
        let other = try Scratch()
        try expectOutcome(
            Programs.run(
                "podcastd", ["--config", config, "--socket", other.path + "/control"] + RunningDaemon.places(other)),
            78,
            errors: "the outputs a and b have the same device")
    }

    @Test func aWrongLineOfTheSectionIsReportedByDoctorAfterAReload() throws {
        let daemon = try daemon()
        _ = try scratch.file("rooms.conf", "[outputs]\nattic = trumpet:loud\n")
        daemon.process.signal(SIGHUP)
        let deadline = Instant.now + .seconds(60)
        while try !daemon.ctl("doctor").output.contains("'attic' below [outputs]") { try #require(.now < deadline) }
        try expectEqual(daemon.connect().call(ListOutputs()).rows.map(\.name), ["kitchen", "attic"])
    }

    @Test func aWrongLineOfTheSectionIsNamedAtTheStart() throws {
        let config = try scratch.file("bad.conf", "[outputs]\nkitchen = trumpet:loud\n")
        try expectOutcome(
            Programs.run(
                "podcastd", ["--config", config, "--socket", scratch.path + "/control"] + RunningDaemon.places(scratch)),
            78, errors: "trumpet")
    }
}
