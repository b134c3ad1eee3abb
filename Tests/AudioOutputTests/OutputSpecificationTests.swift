import AudioOutput
import MediaPorts
import Testing
import TestSupport

@Suite struct OutputSpecificationTests {
    @Test(arguments: [
        ("alsa", OutputSpecification(.alsa(device: nil))),
        ("alsa:", OutputSpecification(.alsa(device: nil))),
        ("alsa:hw:1,0", OutputSpecification(.alsa(device: "hw:1,0"))),
        (
            "alsa:plughw:CARD=Device,DEV=0?rate=48000",
            OutputSpecification(.alsa(device: "plughw:CARD=Device,DEV=0"), rate: 48_000)
        ),
        ("null", OutputSpecification(.null)),
        ("null?rate=8000", OutputSpecification(.null, rate: 8000)),
        ("wav:/tmp/x.wav", OutputSpecification(.wav(path: "/tmp/x.wav"))),
        ("wav:/tmp/what?.wav", OutputSpecification(.wav(path: "/tmp/what?.wav"))),
        ("wav:/tmp/a=b?c", OutputSpecification(.wav(path: "/tmp/a=b?c"))),
        ("raw:-", OutputSpecification(.raw(path: "-"))),
        (
            "raw:/tmp/x?rate=48000&format=s32&channels=1",
            OutputSpecification(.raw(path: "/tmp/x"), rate: 48_000, type: .int32, channels: 1)
        ),
        ("fifo:/run/snapfifo?format=f32", OutputSpecification(.fifo(path: "/run/snapfifo"), type: .float32)),
        ("pipe:curl 'http://x/?a=1' -T -", OutputSpecification(.pipe(command: "curl 'http://x/?a=1' -T -"))),
        ("pipe:aplay -t raw?rate=44100", OutputSpecification(.pipe(command: "aplay -t raw"), rate: 44_100)),
    ])
    func aSpecificationIsRead(text: String, expected: OutputSpecification) throws {
        try expectEqual(OutputSpecification(parsing: text), expected)
    }

    @Test(arguments: [
        "alsa:default", "null", "wav:/tmp/x.wav?rate=48000&format=s16&channels=2", "fifo:/x?format=s32", "raw:-",
    ])
    func aSpecificationIsWrittenAsItIsRead(text: String) throws {
        try expectEqual(OutputSpecification(parsing: text).description, text)
    }

    @Test(arguments: [
        ("", OutputSpecificationError.empty),
        ("oss", .unknownKind("oss")),
        ("/tmp/x.wav", .unknownKind("/tmp/x.wav")),
        ("pulse", .notInThisVersion(kind: "pulse")),
        ("pulse:sink?rate=48000", .notInThisVersion(kind: "pulse")),
        ("snapcast:host:1704", .notInThisVersion(kind: "snapcast")),
        ("wav", .placeMissing(kind: "wav", what: "PATH")),
        ("pipe:", .placeMissing(kind: "pipe", what: "COMMAND")),
        ("null:x", .placeUnwanted(kind: "null")),
        ("null?speed=2", .unknownOption("speed")),
        ("null?rate=1", .badValue(option: "rate", value: "1", allowed: "4000 to 384000 frames per second")),
        (
            "null?rate=99999999999999999999",
            .badValue(option: "rate", value: "99999999999999999999", allowed: "4000 to 384000 frames per second")
        ),
        ("null?format=s24", .badValue(option: "format", value: "s24", allowed: "s16, s32 or f32")),
        ("null?channels=9", .badValue(option: "channels", value: "9", allowed: "1 to 8")),
        ("wav:/x?rate=48000&depth=3", .unknownOption("depth")),
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

    @Test func onlySinksWithoutFilesAreAllowedForAllUsers() throws {
        #expect(try !OutputSpecification(parsing: "alsa").isPrivileged)
        #expect(try OutputSpecification(parsing: "pipe:sh").isPrivileged)
        #expect(try OutputSpecification(parsing: "raw:/etc/passwd").isPrivileged)
    }
}
