import Glibc
import MediaPorts
import Testing
import TestSupport

@testable import AudioOutput

@Suite struct OutputSpecificationTests {
    @Test(arguments: [
        ("alsa", OutputSpecification(.alsa)),
        ("alsa:", OutputSpecification(.alsa)),
        ("alsa:hw:1,0", OutputSpecification(.alsa, "hw:1,0")),
        (
            "alsa:plughw:CARD=Device,DEV=0?rate=48000",
            OutputSpecification(.alsa, "plughw:CARD=Device,DEV=0", rate: 48_000)
        ),
        ("null", OutputSpecification(.null)),
        ("null?rate=8000", OutputSpecification(.null, rate: 8000)),
        ("wav:/tmp/x.wav", OutputSpecification(.wav, "/tmp/x.wav")),
        ("wav:/tmp/what?.wav", OutputSpecification(.wav, "/tmp/what?.wav")),
        ("wav:/tmp/a=b?c", OutputSpecification(.wav, "/tmp/a=b?c")),
        ("raw:-", OutputSpecification(.raw, "-")),
        (
            "raw:/tmp/x?rate=48000&format=s32&channels=1",
            OutputSpecification(.raw, "/tmp/x", rate: 48_000, type: .int32, channels: 1)
        ),
        ("fifo:/run/snapfifo?format=f32", OutputSpecification(.fifo, "/run/snapfifo", type: .float32)),
        ("pipe:curl 'http://x/?a=1' -T -", OutputSpecification(.pipe, "curl 'http://x/?a=1' -T -")),
        ("pipe:aplay -t raw?rate=44100", OutputSpecification(.pipe, "aplay -t raw", rate: 44_100)),
        ("icecast:radio.local:8000/live.mp3", OutputSpecification(.icecast, "radio.local:8000/live.mp3")),
        ("icecast:http://radio.local/live.mp3", OutputSpecification(.icecast, "radio.local/live.mp3")),
        ("icecast:icecast://[::1]:8000/live", OutputSpecification(.icecast, "[::1]:8000/live")),
        ("http", OutputSpecification(.http)),
        ("http:", OutputSpecification(.http)),
        ("http:Kitchen radio", OutputSpecification(.http, "Kitchen radio")),
    ])
    func aSpecificationIsRead(text: String, expected: OutputSpecification) throws {
        try expectEqual(OutputSpecification(parsing: text), expected)
    }

    @Test(arguments: [
        ("http", "http:Radio", true), ("null", "null", false), ("snapcast:a", "snapcast:a:4953?control=9", true),
        ("pulse", "pulse?server=unix:/x", false), ("alsa:hw:0", "alsa:hw:0?rate=48000", true),
        ("alsa:hw:0", "pulse:hw:0", false),
    ])
    func theKindSaysWhetherTwoOutputsHaveOneDevice(one: String, other: String, isSame: Bool) throws {
        try expectEqual(
            OutputSpecification(parsing: one).isSameDevice(as: OutputSpecification(parsing: other)), isSame)
    }

    @Test(arguments: [
        "alsa:default", "null", "alsa:hw:0?mixer=PCM", "pulse?server=unix:/run/x/native",
        "snapcast:attic:4953?buffer=400&control=0",
        "wav:/tmp/x.wav?rate=48000&format=s16&channels=2", "fifo:/x?format=s32", "raw:-",
    ])
    func aSpecificationIsWrittenAsItIsRead(text: String) throws {
        try expectEqual(OutputSpecification(parsing: text).description, text)
    }

    @Test(arguments: [
        ("", OutputSpecificationError.empty(usage: OutputKind.usage())),
        ("oss", .unknownKind("oss", usage: OutputKind.usage())),
        ("/tmp/x.wav", .unknownKind("/tmp/x.wav", usage: OutputKind.usage())),
        ("jack", .unknownKind("jack", usage: OutputKind.usage())),
        ("snapcast", .parameterMissing(kind: "snapcast", what: "HOST[:PORT]")),
        (
            "snapcast:host?buffer=9",
            .badValue(option: "buffer", value: "9", allowed: "a whole number from 100 to 2000")
        ),
        (
            "pulse?buffer=1000",
            .unknownOption("buffer", known: ["rate", "format", "channels", "server"])
        ),
        ("wav", .parameterMissing(kind: "wav", what: "PATH")),
        ("pipe:", .parameterMissing(kind: "pipe", what: "COMMAND")),
        ("null:x", .parameterUnwanted(kind: "null")),
        (
            "icecast:http://source:secret@radio/live",
            .badValue(option: "icecast", value: "http://source:secret@radio/live", allowed: "icecast:HOST[:PORT]/MOUNT")
        ),
        ("icecast:radio", .badValue(option: "icecast", value: "radio", allowed: "icecast:HOST[:PORT]/MOUNT")),
        ("snapcast:a:b", .badValue(option: "snapcast", value: "a:b", allowed: "snapcast:HOST[:PORT]")),
        ("null?speed=2", .unknownOption("speed", known: ["rate", "format", "channels"])),
        ("null?rate=1", .badValue(option: "rate", value: "1", allowed: "1000 to 384000 frames per second")),
        (
            "null?rate=99999999999999999999",
            .badValue(option: "rate", value: "99999999999999999999", allowed: "1000 to 384000 frames per second")
        ),
        ("null?format=s24", .badValue(option: "format", value: "s24", allowed: "s16, s32 or f32")),
        ("null?channels=9", .badValue(option: "channels", value: "9", allowed: "1 to 8")),
        ("wav:/x?rate=48000&depth=3", .unknownOption("depth", known: ["rate", "format", "channels"])),
        ("wav:/tmp/\u{1B}[2J", .unreadable),
    ])
    func aSpecificationThatCannotBeUsedSaysWhatToWrite(text: String, expected: OutputSpecificationError) {
        #expect(throws: expected) { try OutputSpecification(parsing: text) }
        #expect(!expected.description.isEmpty)
    }

    @Test func aVeryLongSpecificationIsRefused() {
        #expect(throws: OutputSpecificationError.unreadable) {
            try OutputSpecification(parsing: "wav:/" + String(repeating: "x", count: 5000))
        }
    }

    @Test func helpNamesEveryKindWithItsParameter() {
        expectEqual(Set(OutputKind.all.map(\.name)).count, OutputKind.all.count)
        expectEqual(
            OutputKind.usage(),
            "alsa[:DEVICE], pulse[:DEVICE], snapcast:HOST[:PORT], upnp:NAME, icecast:HOST[:PORT]/MOUNT, http[:NAME], pipe:COMMAND, fifo:PATH, wav:PATH, raw:PATH or null"
        )
    }
}

struct OutputInspectorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func condition(_ text: String) throws -> OutputCondition {
        try OutputSpecification(parsing: text).condition
    }

    @Test func filesAreUsableInAFolderThatExists() throws {
        try expectEqual(condition("wav:\(folder.file("x.wav"))"), .usable)
        try expectEqual(condition("raw:-"), .usable)
        try expectEqual(condition("wav:/nowhere/x.wav"), .unusable("directory /nowhere does not exist"))
    }

    @Test func aNamedPipeThatOnlyItsOwnerReadsIsReported() throws {
        let path = folder.file("pipe")
        try expectEqual(condition("fifo:\(path)"), .usable)
        expectEqual(mkfifo(path, 0o600), 0)
        try expectEqual(
            condition("fifo:\(path)"),
            .unusable(.other, "other users have no permission to read \(path)", fix: "chmod go+r \(path)"))
        try expectEqual(condition("fifo:/dev/null"), .unusable("/dev/null is not a named pipe"))
    }

    @Test func nothingIsStartedForACommand() throws { try expectEqual(condition("pipe:exit 1"), .usable) }

    @Test func aDeviceThatDoesNotExistIsReported() throws {
        guard case .unusable(.other, let cause, _) = try condition("alsa:hw:7") else {
            Issue.record("usable")
            return
        }
        expectContains(cause, "unknown device")
    }

    @Test(arguments: [
        ("alsa", true), ("alsa:hw:1,0?rate=48000", true), ("alsa:plughw:CARD=Kitchen,DEV=0", true),
        ("alsa:surround51:1", true),
        ("null", true), ("alsa:file:'|touch /tmp/x',raw", false), ("alsa:tee:default,/tmp/x,wav", false),
        ("alsa:{ type file file \"/tmp/x\" }", false), ("alsa:hw:{1}", false), ("alsa:plug:'file:x'", false),
        ("pipe:cat", false), ("fifo:/tmp/f", false), ("wav:/tmp/x.wav", false), ("raw:/tmp/x", false),
    ])
    func clientsAddNothingThatStartsAProgramOrWritesAFile(_ text: String, isAllowed: Bool) throws {
        try expectEqual(OutputSpecification(parsing: text).isClientAddable, isAllowed)
    }

    @Test func anOutputForListenersNamesThePackageOfItsEncoder() throws {
        let scratch = try Scratch()
        let factory = SinkFactory(socket: scratch.path + "/control", encoder: "/nonexistent/podcast-decode-av")
        let sink = try factory.makeSink(OutputSpecification(parsing: "http"))
        let error = #expect(throws: SinkError.self) {
            try sink.open(PCMFormat(rate: 48_000, channels: 2, type: .int16))
        }
        expectContains(error?.message ?? "", "install podcastd-codecs")
    }
}
