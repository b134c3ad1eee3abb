@testable import AudioOutput
@testable import DaemonCore
import ControlLanguage
import ControlProtocol
import JSON
import Library
import MediaPorts
import PodcastModel
import Reporting
import SerialThreads
import TestSupport
import Testing

/// What can be added, and what is refused.
@Suite(.ownThread) struct OutputCommandTests {
    @Test func foundDevicesGetNamesAndThoseInUseAreMarked() async throws {
        let searches = [
            OutputSearch(kind: "null") { () throws(SinkError) in
                [
                    FoundDevice("Living Room (TV)", OutputSpecification(.upnp, "Living Room")),
                    FoundDevice("Living Room\u{1B}", OutputSpecification(.snapcast, "10.0.0.1")),
                    FoundDevice("…", OutputSpecification(.pulse, "room")),
                ]
            },
            OutputSearch(kind: "pulse") { () throws(SinkError) in throw SinkError("no server answers; start one") },
            // The rest of the name would be an option.
            OutputSearch(kind: "upnp") { () throws(SinkError) in
                [FoundDevice("x", OutputSpecification(.upnp, "Radio?rate=8000"))]
            },
        ]
        try await HandledLibrary.run(searches: searches) { daemon in
            try await daemon.call("outputs.add", ["name": "living-room", "specification": "snapcast:10.0.0.1:4953"])
            let reply = try await daemon.call("outputs.find")
            expectEqual(
                reply["found"]?.arrayValue?.map(\.text),
                [
                    #"{"title":"Living Room (TV)","name":"living-room-tv","specification":"upnp:Living Room"}"#,
                    #"{"title":"Living Room","name":"living-room-2","specification":"snapcast:10.0.0.1","output":"living-room"}"#,
                    #"{"title":"…","name":"output","specification":"pulse:room"}"#,
                ])
            expectEqual(reply["failures"], ["pulse: no server answers; start one"])
            try await expectEqual(daemon.column("kind", of: "activities", "activities.list"), [])
        }
    }

    @Test func aSearchIsAnActivityAndNeedsAdmin() async throws {
        let board = LateBound<ActivityBoard>()
        let seen = LateBound<[Activity.Kind]>()
        let search = OutputSearch(kind: "null") { () throws(SinkError) in
            seen.value = board.value?.snapshot.map(\.kind)
            return []
        }
        let daemon = try await TestDaemon(searches: [search])
        board.value = daemon.parts.activities
        let library = HandledLibrary(daemon)
        let error = await library.refusal("outputs.find", as: .control)
        expectEqual(error?.code, .notPermitted)
        try await expectEqual(library.call("outputs.find")["found"], [])
        expectEqual(seen.value, [.searching])
        expectEqual(daemon.parts.activities.snapshot, [])
        await daemon.stop()
    }

    @Test func theSameFaultHasTheSameCodeForEachKind() async throws {
        try await HandledLibrary.run { daemon in
            for (first, second) in [("pulse:room", "pulse:room"), ("snapcast:a", "snapcast:a:4953")] {
                try await daemon.call("outputs.add", ["name": .string(first), "specification": .string(first)])
                let error = await daemon.refusal("outputs.add", ["name": "other", "specification": .string(second)])
                expectEqual(error?.code, .conflict)
                expectEqual(error?.what, "'\(first)' plays there already ('\(first)')")
            }
        }
    }

    @Test func anOutputOfTheCommandLineIsNotSaidToBeOfTheFile() async throws {
        try await HandledLibrary.run { daemon in
            let error = await daemon.refusal("outputs.remove", ["name": "null"])
            expectEqual(error?.what, "'null' comes from podcastd's command line")
        }
    }

    @Test func helpNamesEveryKindThatClientsCanAdd() {
        let help = AddOutput.declaration.parameters[1].help
        for kind in OutputKind.all where kind.isClientAddable("default") {
            #expect(help.contains("`\(kind.name)`") || help.contains("`\(kind.name):"), "\(kind.name)")
        }
    }

    @Test func aChangeOfAnOutputIsAnActOfItsOwn() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("outputs.volume", ["name": "null", "volume": 60])
            try await expectEqual(daemon.column("act", of: "acts", "playback.undoable"), ["output", "subscribe"])
            // Clients without `admin` may change outputs, and so undo a change.
            let undone = try await daemon.call("playback.undo", as: .control)
            expectEqual([undone["act"], undone["subject"]], ["output", "volume of null"])
            try await expectEqual(daemon.column("volume", of: "outputs", "outputs.list"), [100])
        }
    }

    @Test func undoRestoresOnlyWhatTheActHasChanged() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("outputs.delay", ["name": "null", "delay": "80ms"])
            // As the desktop's mixer does it, without an act.
            let outputs = daemon.parts.media.outputs
            try outputs.replace(
                with: outputs.setups.map { OutputSetup($0.name, $0.specification, volume: 30, delay: 80) })
            try await daemon.call("playback.undo")
            try await expectEqual(daemon.column("delay", of: "outputs", "outputs.list"), [0])
            try await expectEqual(daemon.column("volume", of: "outputs", "outputs.list"), [30])
            try await daemon.call("playback.redo")
            try await expectEqual(daemon.column("delay", of: "outputs", "outputs.list"), [80])
            try await expectEqual(daemon.column("volume", of: "outputs", "outputs.list"), [30])
        }
    }

    @Test func aVolumeThatIsTurnedInStepsIsOneAct() async throws {
        try await HandledLibrary.run { daemon in
            for volume in [90, 80, 70] {
                try await daemon.call("outputs.volume", ["name": "null", "volume": .integer(Int64(volume))])
            }
            try await expectEqual(daemon.column("act", of: "acts", "playback.undoable"), ["output", "subscribe"])
            try await daemon.call("playback.undo")
            try await expectEqual(daemon.column("volume", of: "outputs", "outputs.list"), [100])
            try await daemon.call("playback.redo")
            try await expectEqual(daemon.column("volume", of: "outputs", "outputs.list"), [70])
        }
    }

    @Test func anOutputWhoseDeviceAnotherOneHasMeanwhileStaysRemoved() async throws {
        try await HandledLibrary.run { daemon in
            try await daemon.call("outputs.add", ["name": "kitchen", "specification": "pulse:room"])
            try await daemon.call("outputs.remove", ["name": "kitchen"])
            let outputs = daemon.parts.media.outputs
            try outputs.replace(with: outputs.setups + [OutputSetup("other", "pulse:room", isEnabled: false)])
            try await daemon.call("playback.undo")
            try await expectEqual(daemon.column("name", of: "outputs", "outputs.list"), ["null", "other"])
        }
    }

    @Test func proposedNamesAreShortEnoughInEachScript() async throws {
        let title = String(repeating: "居間のスピーカー", count: 8)
        let search = OutputSearch(kind: "null") { () throws(SinkError) in
            [FoundDevice(title, OutputSpecification(.upnp, "a")), FoundDevice(title, OutputSpecification(.upnp, "b"))]
        }
        try await HandledLibrary.run(searches: [search]) { daemon in
            let found = try await daemon.call("outputs.find")["found"]?.arrayValue ?? []
            expectEqual(found.count, 2)
            for output in found {
                let name = try #require(output["name"]?.stringValue)
                #expect((1...64).contains(name.utf8.count), "\(name)")
                try await daemon.call(
                    "outputs.add", ["name": .string(name), "specification": try #require(output["specification"])])
            }
        }
    }

    @Test func aRecordOfAnOlderVersionChangesNoOutput() async throws {
        let daemon = try await TestDaemon()
        await daemon.parts.library.record(
            [SettingChange(.output("null"), from: "on 40 0 null", to: "on 50 0 null")], as: .set, title: "output null",
            at: Timestamp(seconds: 100))
        _ = try await daemon.parts.undo(.undo)
        expectEqual(daemon.parts.media.outputs.setups, [OutputSetup("null", "null")])
        await daemon.stop()
    }
}
