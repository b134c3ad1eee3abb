internal import AudioOutput
internal import CommandLineTool
internal import Glibc
internal import DecoderHost
internal import MediaPorts
internal import Playback
internal import PodcastModel
internal import Reporting
internal import Synchronization
internal import SystemCalls

/// Plays the inputs of the command line. The main thread waits for the player's events, signals and the next second, and prints.
struct PlayRun {
    let inputs: [String]
    let output: OutputSpecification
    let isPaced: Bool
    let isJSON: Bool
    let start: MediaTime
    let end: MediaTime?
    let settings: PlaybackSettings

    init(_ arguments: ParsedArguments) throws(ToolFailure) {
        inputs = Array(arguments.texts(PlayDeclaration.inputs))
        isPaced = !arguments.isSet(PlayDeclaration.unpaced)
        isJSON = arguments.isSet(PlayDeclaration.json)
        start = try Self.time(PlayDeclaration.start, arguments) ?? .zero
        end = try Self.time(PlayDeclaration.end, arguments)
        if let end, end <= start { throw ToolFailure(.usage, "--end must be later than --start") }
        settings = try Self.settings(arguments)
        output = try ToolFailure.wrapping(.usage) {
            try OutputSpecification(parsing: arguments.text(PlayDeclaration.output) ?? "alsa", withDaemon: false)
        }
        if isJSON, output.name == "raw:-" {
            throw ToolFailure(.usage, "--json and --output raw:- both write to stdout")
        }
    }

    private static func settings(_ arguments: ParsedArguments) throws(ToolFailure) -> PlaybackSettings {
        var settings = PlaybackSettings()
        settings.startsOverPastEnd = false
        settings.waitsForHosts = false
        if let text = arguments.text(PlayDeclaration.speed) {
            guard let speed = PlaybackSpeed(parsing: text) else {
                throw ToolFailure(.usage, "--speed must be a number from 0.5 to 4, not '\(SafeText.line(text))'")
            }
            settings.sound.speed = speed
        }
        if arguments.isSet(PlayDeclaration.noDSP) { settings.sound = SoundSettings() }
        return settings
    }

    private static func time(_ option: OptionDeclaration, _ arguments: ParsedArguments) throws(ToolFailure)
        -> MediaTime?
    {
        switch arguments.time(option) {
        case nil: return nil
        case .absolute(let time): return time
        case .relative, .share, .relativeShare:
            throw ToolFailure(.usage, "--\(option.name) is a time from the beginning of the file, without a sign or %")
        }
    }

    func run(_ standardOutput: ToolOutput) throws(ToolFailure) -> CommandLineTool.ExitStatus {
        let signals = try PlayProgram.catchSignals()
        let opener = MediaOpener()
        defer { opener.close() }
        let bell = try ToolFailure.wrapping(.ioError) { try EventDescriptor() }
        let renderer = try ToolFailure.wrapping(.ioError) {
            try Renderer(sink: try SinkFactory(isPaced: isPaced).makeSink(output))
        }
        let library = ArgumentLibrary(inputs, start: start, end: end)
        let activities = ActivityBoard { .now }
        let player = Player(
            opener: opener, decoders: DecoderLauncher(), renderer: renderer, store: library,
            queue: library, activities: activities, clock: WorkerThread(name: .timers), settings: settings)
        let failures = Mutex<[MediaFailure]>([])
        player.observe { [weak player] in
            // A file that fails at once may fail between two looks of the main thread.
            if let error = player?.status.error {
                failures.withLock { if $0.last != error { $0.append(error) } }
            }
            bell.signal()
        }
        activities.watch { bell.signal() }
        let presenter = self.presenter(standardOutput)

        Task { try await player.resume() }
        let (course, failure) = try follow(
            player, ringing: bell, signals, to: presenter,
            newFailures: { failures.withLock { exchange(&$0, with: []) } },
            view: { status in
                PlayView(
                    status: status, activities: activities.snapshot,
                    input: status.entry.map { library.input(of: $0) },
                    played: library.played(before: status.entry))
            })
        try presenter.finish()
        // Closes the sink, so that an output file is complete when the program exits.
        renderer.shutDown()
        if case .givingUp(let words) = course { throw ToolFailure(.ioError, words) }
        if course == .ending(isAsked: true) || library.played(before: nil).count == inputs.count { return .success }
        return failure.map { $0.failure.exitStatus(of: $0.input) } ?? .success
    }

    private enum Course: Equatable {
        /// The player is active; next: ending.
        case playing
        /// The player is shutting down, because all inputs are finished or after a signal; next: the end.
        case ending(isAsked: Bool)
        /// The player is shutting down, because the output accepts no audio, with the reason; next: the end.
        case givingUp(String)
    }

    /// An output that accepts no audio for this time ends playback. Without pacing, it ends at once.
    private static let outputTimeout = Duration.seconds(4)

    private typealias Failed = (failure: MediaFailure, input: String)

    /// Prints the player's state until the player has shut down, or until a second signal. Returns the last error, too.
    ///
    /// - Parameter newFailures: the failures since the last call, in their order.
    private func follow(
        _ player: Player, ringing bell: EventDescriptor, _ signals: borrowing SignalDescriptor,
        to presenter: any PlayPresenter, newFailures: () -> [MediaFailure], view: (PlayerStatus) -> PlayView
    ) throws(ToolFailure) -> (Course, Failed?) {
        var course = Course.playing
        var failure: Failed?
        var outputDeadline: Instant?
        let isDown = Atomic(false)
        func leave() {
            Task { @Sendable in
                await player.shutdown()
                isDown.store(true, ordering: .releasing)
                bell.signal()
            }
        }
        while true {
            // Read before printing, so that the last output shows the final state.
            let isLast = isDown.load(ordering: .acquiring)
            let failures = newFailures()
            let status = player.status
            let shown = view(status)
            for error in failures where error != status.error {
                var earlier = shown
                earlier.status.error = error
                try presenter.show(earlier)
            }
            failure = status.error.map { ($0, shown.input ?? failure?.input ?? inputs[0]) } ?? failure
            try presenter.show(shown)
            if isLast { return (course, failure) }
            let hasStopped = status.state == .stopped && status.stopReason != .neverStarted
            if hasStopped, course == .playing {
                course = .ending(isAsked: false)
                leave()
            }
            if case .sink(let words)? = status.cause {
                let deadline = outputDeadline ?? .now + (isPaced ? Self.outputTimeout : .zero)
                outputDeadline = deadline
                if deadline <= .now, course == .playing {
                    course = .givingUp(words)
                    leave()
                }
            } else {
                outputDeadline = nil
            }
            let isMoving = presenter.followsTime && isPaced && status.state == .playing
            waitForDescriptors(
                readable: signals.raw, bell.raw,
                until: isMoving
                    ? .now + .seconds(1) : course == .playing ? outputDeadline ?? .distantFuture : .distantFuture)
            bell.clear()
            guard (try? signals.next(until: .distantPast)) != nil else { continue }
            switch course {
            case .playing: leave()
            case .ending(isAsked: false), .givingUp: break
            // A second signal ends the program at once.
            case .ending(isAsked: true): return (course, failure)
            }
            course = .ending(isAsked: true)
        }
    }

    private func presenter(_ standardOutput: ToolOutput) -> any PlayPresenter {
        if isJSON { return JSONPresenter(standardOutput) }
        let errors = ToolOutput(descriptor: 2)
        let terminal = Terminal(descriptor: 2)
        if terminal.isInteractive, let width = terminal.width { return LivePresenter(errors, width: width) }
        return PlainPresenter(errors)
    }
}
