import CLibFuzzer
import Glibc

/// Asks one target about the inputs that libFuzzer makes up: `podcastd-fuzz TARGET [LIBFUZZER'S ARGUMENTS]`.
@main enum FuzzProgram {
    /// What may be asked, by the names of `make fuzz TARGET=`.
    static let targets: [String: @Sendable (FuzzInput) -> Void] = [
        "control": ControlFuzz.run, "ring": RingFuzz.run, "messages": MessageFuzz.run,
        "roundtrip": RoundTripFuzz.run,
        "config": SettingsFuzz.readConfig,
        "settings": SettingsFuzz.writeAndRead, "service": ServiceFuzz.run, "repair": RepairFuzz.run,
        "feed": FeedFuzz.run, "opml": OPMLFuzz.run, "times": TimesFuzz.run, "differential": DifferentialFuzz.run,
        "chapters": ChapterFuzz.run, "transcripts": TranscriptFuzz.run, "html": NotesFuzz.run,
        "lost-text": LostTextFuzz.run,
        "mcp": GatewayFuzz.lines, "web": GatewayFuzz.requests, "mpd": MPDFuzz.run,
        "rules": RuleFuzz.run, "search": SearchFuzz.run,
        "id3": TagFuzz.run, "containers": ContainerFuzz.run, "frame-index": IndexFuzz.run, "sound": SoundFuzz.run,
    ]

    static func main() {
        var arguments = CommandLine.unsafeArgv
        var count = CommandLine.argc - 1
        guard count > 0, let name = arguments[1].map({ String(cString: $0) }), let target = targets[name] else {
            print("usage: podcastd-fuzz \(targets.keys.sorted().joined(separator: "|")) [ARGUMENT…]")
            exit(64)
        }
        chosen = target
        // libFuzzer takes the program's name from the first argument to start itself again.
        arguments[1] = arguments[0]
        arguments += 1
        exit(LLVMFuzzerRunDriver(&count, &arguments, oneInput))
    }
}

/// Set before the first input and never again; libFuzzer passes no context to its callback.
nonisolated(unsafe) private var chosen: (FuzzInput) -> Void = { _ in }

private let oneInput: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32 = { data, size in
    chosen(FuzzInput(UnsafeRawBufferPointer(start: data, count: size)))
    return 0
}

/// libFuzzer's own main refers to it; the driver is given its callback directly.
@_cdecl("LLVMFuzzerTestOneInput") func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    oneInput(data, size)
}
