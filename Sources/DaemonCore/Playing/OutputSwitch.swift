internal import AudioOutput
internal import ControlProtocol
internal import MediaPorts
internal import Synchronization

/// Makes sinks.
protocol SinkMaking: Sendable {
    /// Makes the sink of a specification; it opens nothing before its `open`.
    func makeSink(_ specification: OutputSpecification) throws(SinkError) -> any Sink
}

extension SinkFactory: SinkMaking {}

/// The configured output, on or off.
///
/// Every method may be called from any thread; a sink is opened and closed on the sink thread.
final class OutputSwitch: Sendable {
    private struct State {
        var specification: OutputSpecification
        /// Kept while it is switched off, so that a file goes on where it was and is not begun again.
        var sink: any Sink
        var isEnabled = true
        /// Of sinks that were replaced.
        var earlierUnderruns = 0
    }

    private let renderer: Renderer
    private let sinks: any SinkMaking
    private let state: Mutex<State>

    /// Gives the renderer its sink.
    /// - Throws: when the process has no descriptors left; devices are opened later.
    init(_ specification: OutputSpecification, renderer: Renderer, sinks: any SinkMaking) throws(SinkError) {
        self.renderer = renderer
        self.sinks = sinks
        let sink = try sinks.makeSink(specification)
        state = Mutex(State(specification: specification, sink: sink))
        renderer.setSink(sink)
    }

    /// What is configured.
    var specification: OutputSpecification { state.withLock { $0.specification } }

    /// All outputs.
    var replies: [OutputReply] { [reply(state.withLock { $0 })] }

    /// Times a device ran dry while it played.
    var underruns: Int { state.withLock { $0.earlierUnderruns + $0.sink.underruns } }

    /// Switches an output; nil when none has that name.
    func set(_ name: String, on: Bool) -> OutputReply? {
        let changed = state.withLock { state -> (State, Bool)? in
            guard state.specification.name == name else { return nil }
            defer { state.isEnabled = on }
            let mustSwitch = state.isEnabled != on
            return (State(specification: state.specification, sink: state.sink, isEnabled: on), mustSwitch)
        }
        guard let (state, mustSwitch) = changed else { return nil }
        if mustSwitch { renderer.setSink(on ? state.sink : nil) }
        return reply(state)
    }

    /// Another output, at a reload of the config.
    func replace(with specification: OutputSpecification) throws(SinkError) {
        guard state.withLock({ $0.specification != specification }) else { return }
        let sink = try sinks.makeSink(specification)
        state.withLock { state in
            state = State(
                specification: specification, sink: sink,
                earlierUnderruns: state.earlierUnderruns + state.sink.underruns)
        }
        renderer.setSink(sink)
    }

    private func reply(_ state: State) -> OutputReply {
        OutputReply(
            name: state.specification.name, specification: state.specification.description,
            isEnabled: state.isEnabled)
    }
}
