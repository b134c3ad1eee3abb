internal import AudioOutput
internal import CommandLineTool
internal import JSON
internal import DecoderHost
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Examines a file: decodes it at full speed, to nowhere or to a file, and reports its properties.
struct Probe {
    let input: String
    let isJSON: Bool
    let decodePath: String?

    init(_ arguments: ParsedArguments) throws(ToolFailure) {
        input = arguments.text(PlayDeclaration.input) ?? ""
        isJSON = arguments.isSet(PlayDeclaration.json)
        decodePath = arguments.text(PlayDeclaration.decode)
        for option in [
            PlayDeclaration.output, PlayDeclaration.unpaced, PlayDeclaration.start, PlayDeclaration.end,
            PlayDeclaration.speed, PlayDeclaration.noDSP,
        ] where arguments.isSet(option) {
            throw ToolFailure(.usage, "--\(option.name) is not an option of probe")
        }
    }

    /// Reports of the parts, collected from their threads.
    private final class News: Sendable {
        struct State {
            var info: StreamInfo?
            var damage: String?
            var failure: MediaFailure?
            var sinkError: SinkError?
            /// Whether the decoder has sent its last event.
            var isDecoded = false
            /// Whether the last frame was written.
            var isEnded = false
            /// Whether the sink has nothing left to write.
            var isDry = true
        }
        let state = Mutex(State())
        let bell: EventDescriptor

        init() throws(SystemError) { bell = try EventDescriptor() }

        func handle(_ event: DecoderEvent) {
            state.withLock { state in
                switch event {
                case .opened(let info): state.info = info
                case .restarted(let reason): state.damage = state.damage ?? reason
                case .failed(let failure): state.failure = failure
                case .reachedEnd: state.isDecoded = true
                case .waitingForBytes, .decoding, .positioned: break
                }
            }
            bell.signal()
        }

        func handle(_ event: RendererEvent) {
            state.withLock { state in
                switch event {
                case .ended: state.isEnded = true
                case .sinkFailed(let error): state.sinkError = error
                case .started, .resumed: state.isDry = false
                case .underrun: state.isDry = true
                case .sinkRecovered: break
                }
            }
            bell.signal()
        }
    }

    func run(_ output: ToolOutput) throws(ToolFailure) -> CommandLineTool.ExitStatus {
        let report = try examine()
        if isJSON {
            output.line(report.json.text)
            return .success
        }
        if report.outcome == .notAudio { throw ToolFailure(.badData, report.reason ?? "not an audio file") }
        for line in report.lines { output.line(line) }
        return .success
    }

    private func examine() throws(ToolFailure) -> ProbeReport {
        let signals = try PlayProgram.catchSignals()
        let opener = MediaOpener()
        defer { opener.close() }
        do {
            let news = try News()
            let output = decodePath.map { OutputSpecification(.raw, $0, type: .int16) } ?? OutputSpecification(.null)
            let renderer = try Renderer(sink: try SinkFactory(isPaced: false).makeSink(output))
            defer { renderer.shutDown() }
            let source = try opener.open(input)
            defer { source.close() }
            source.want(from: 0)
            let session = try DecoderLauncher().start(source, at: .zero, generation: 1, .neutral) { news.handle($0) }
            defer { session.stop() }
            let notes = FormatNotes(session.pcm)
            renderer.observe { news.handle($0) }
            renderer.play(notes, generation: 1, prebuffer: .zero, rebuffer: .zero)
            let state = try wait(for: news, notes, signals.raw)
            // A failure of the access to the file, not of the file itself.
            if let failure = state.failure, ![.notAudio, .damaged].contains(failure.kind) {
                throw ToolFailure(failure.exitStatus(of: input), failure.message)
            }
            if let error = state.sinkError { throw ToolFailure(.ioError, error.message) }
            return report(state, notes, renderer, source)
        } catch let failure as ToolFailure {
            throw failure
        } catch let failure as MediaFailure {
            throw ToolFailure(failure.exitStatus(of: input), failure.message)
        } catch {
            throw ToolFailure(.software, "\(error)")
        }
    }

    /// If less is buffered, all frames were read: the times of their parts are rounded to nanoseconds.
    private static let roundingSeconds = 0.001

    /// Returns after the last frame was written, or if no more will come.
    private func wait(for news: News, _ frames: any PCMSource, _ signals: Int32) throws(ToolFailure) -> News.State {
        while true {
            waitForDescriptors(readable: news.bell.raw, signals, until: .distantFuture)
            if waitForDescriptors(readable: signals, until: .distantPast) {
                throw ToolFailure(.tryAgain, "interrupted")
            }
            news.bell.clear()
            let state = news.state.withLock { $0 }
            if state.sinkError != nil || (state.isEnded && state.isDecoded) { return state }
            // Frames decoded before a failure are still written.
            if state.failure != nil, state.isDry, frames.bufferedSeconds < Self.roundingSeconds { return state }
        }
    }

    private func report(
        _ state: News.State, _ notes: FormatNotes, _ renderer: Renderer, _ source: any ByteSource
    ) -> ProbeReport {
        // Ends the sink thread, so that output and counts are complete.
        renderer.shutDown()
        let runs = notes.runs
        let outcome: ProbeReport.Outcome =
            if state.failure != nil {
                state.info == nil || runs.isEmpty ? .notAudio : .damaged
            } else {
                state.damage == nil ? .audio : .damaged
            }
        return ProbeReport(
            outcome: outcome, reason: state.failure?.message ?? state.damage, info: state.info,
            picture: state.info?.art.map { $0.json(in: source) }, runs: runs,
            isDecoded: decodePath != nil && !runs.isEmpty)
    }
}

/// Passes frames to a sink, and records each format and its number of frames.
final class FormatNotes: PCMSource {
    struct Run: Equatable {
        var format: PCMFormat
        var frames: Int
    }

    private let source: any PCMSource
    private let recorded = Mutex<[Run]>([])

    init(_ source: any PCMSource) { self.source = source }

    var runs: [Run] { recorded.withLock { $0 } }

    func nextChunk() -> PCMChunk? {
        guard let chunk = source.nextChunk() else { return nil }
        if chunk.kind == .frames {
            recorded.withLock { if $0.last?.format != chunk.format { $0.append(Run(format: chunk.format, frames: 0)) } }
        }
        return chunk
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = source.read(into: buffer)
        recorded.withLock { runs in
            guard let last = runs.indices.last else { return }
            runs[last].frames += count / runs[last].format.frameSize
        }
        return count
    }

    var readinessDescriptor: Int32 { source.readinessDescriptor }
    func prepareToWait() -> Bool { source.prepareToWait() }
    var bufferedSeconds: Double { source.bufferedSeconds }
    var isFilled: Bool { source.isFilled }
}
