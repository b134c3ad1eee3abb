public import MediaPorts
public import PodcastModel
internal import Synchronization

/// The configured output, enabled or disabled.
///
/// Every method may be called from any thread; a sink is opened and closed on the sink thread.
public final class OutputSwitch: Sendable {
    /// Creates the sink of an output that the listener chose; opens nothing before the sink's `open`.
    public typealias SinkMaker = @Sendable (OutputSpecification) throws(SinkError) -> any Sink

    private struct State {
        var specification: OutputSpecification
        /// Kept while it is disabled, so that a file continues and does not start over.
        var sink: any Sink
        var isEnabled = true
        /// Underruns of replaced sinks.
        var earlierUnderruns = 0
    }

    private let renderer: Renderer
    private let makeSink: SinkMaker
    private let state: Mutex<State>

    /// Gives the renderer its sink, unless the output is disabled.
    /// - Parameter disabled: names of outputs that are disabled at first.
    /// - Throws: when the process has no descriptors left; devices are opened later.
    public init(
        _ specification: OutputSpecification, disabled: [String] = [], renderer: Renderer,
        makeSink: @escaping SinkMaker
    ) throws(SinkError) {
        self.renderer = renderer
        self.makeSink = makeSink
        let sink = try makeSink(specification)
        let isEnabled = !disabled.contains(specification.name)
        state = Mutex(State(specification: specification, sink: sink, isEnabled: isEnabled))
        if isEnabled { renderer.setSink(sink) }
    }

    public var specification: OutputSpecification { state.withLock { $0.specification } }

    public var states: [OutputState] { [output(state.withLock { $0 })] }

    /// Times a device ran dry while it played.
    public var underruns: Int { state.withLock { $0.earlierUnderruns + $0.sink.underruns } }

    /// Enables or disables an output; nil if none has that name.
    public func set(_ name: String, on: Bool) -> OutputState? {
        let changed = state.withLock { state -> (State, Bool)? in
            guard state.specification.name == name else { return nil }
            defer { state.isEnabled = on }
            let mustSwitch = state.isEnabled != on
            return (State(specification: state.specification, sink: state.sink, isEnabled: on), mustSwitch)
        }
        guard let (state, mustSwitch) = changed else { return nil }
        if mustSwitch { renderer.setSink(on ? state.sink : nil) }
        return output(state)
    }

    /// - Parameter disabled: as for the initializer.
    public func replace(with specification: OutputSpecification, disabled: [String] = []) throws(SinkError) {
        guard state.withLock({ $0.specification != specification }) else { return }
        let sink = try makeSink(specification)
        let isEnabled = !disabled.contains(specification.name)
        state.withLock { state in
            state = State(
                specification: specification, sink: sink, isEnabled: isEnabled,
                earlierUnderruns: state.earlierUnderruns + state.sink.underruns)
        }
        renderer.setSink(isEnabled ? sink : nil)
    }

    private func output(_ state: State) -> OutputState {
        OutputState(
            name: state.specification.name, specification: state.specification.description,
            isEnabled: state.isEnabled)
    }
}
