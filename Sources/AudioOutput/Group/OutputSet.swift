public import MediaPorts
public import PodcastModel
internal import SerialThreads
internal import Synchronization

/// The named outputs, of which those that are enabled play the same at the same time.
///
/// Every method may be called from any thread; sinks are opened and closed on the threads that write them.
public final class OutputSet: Sendable {
    /// Creates the sink of an output that the listener chose; opens nothing before the sink's `open`.
    public typealias SinkMaker = @Sendable (OutputSpecification) throws(SinkError) -> any Sink

    private struct Output {
        var setup: OutputSetup
        /// Kept while the output is disabled, so that a file continues and does not start over.
        var lane: OutputLane
        /// The failure that was reported last; nil if the output has played since.
        var failure: String?
    }

    private struct Leaving { weak var lane: OutputLane? }

    private struct State {
        var outputs: [Output] = []
        /// Underruns of outputs that were removed.
        var earlierUnderruns = 0
        /// Outputs that were removed and may not be closed yet.
        var leaving: [Leaving] = []
    }

    private let renderer: Renderer
    private let group: OutputGroup
    private let makeSink: SinkMaker
    private let changed: @Sendable () -> Void
    private let failureChanged: @Sendable (String, String?) -> Void
    private let volumes = Listener<Void>()
    private let state = Mutex(State())
    /// A thread holds it while it gives the group its outputs, so that no older list replaces a newer one.
    private let applying = Mutex(())

    /// Gives the renderer its sink, unless all outputs are disabled.
    /// - Parameters:
    ///   - changed: called when a state has changed, on any thread; must not block.
    ///   - failureChanged: called like `changed` when an output fails, with the output's name and the reason, and with nil when the
    ///     output plays again.
    /// - Throws: when the process has no descriptors left; devices are opened later.
    public init(
        _ setups: [OutputSetup], renderer: Renderer, makeSink: @escaping SinkMaker,
        changed: @escaping @Sendable () -> Void,
        failureChanged: @escaping @Sendable (String, String?) -> Void = { _, _ in }
    ) throws(SinkError) {
        self.renderer = renderer
        self.makeSink = makeSink
        self.changed = changed
        self.failureChanged = failureChanged
        group = renderer.makeGroup()
        try replace(with: setups)
    }

    public var setups: [OutputSetup] { state.withLock { $0.outputs.map(\.setup) } }

    public var states: [OutputState] {
        state.withLock { $0.outputs }.map { output in
            let report = output.setup.isEnabled ? output.lane.report : OutputLane.Report()
            var state = OutputState(output.setup)
            state.isAtSpeedOne = OutputKind.all.contains { $0.name == state.kind && $0.isAtSpeedOne }
            state.phase = report.phase
            state.reason = report.reason
            state.format = report.format
            return state
        }
    }

    /// Times a device ran dry while it played.
    public var underruns: Int {
        state.withLock { state in state.outputs.reduce(state.earlierUnderruns) { $0 + $1.lane.sink.underruns } }
    }

    /// Sets the outputs, whose specifications are valid. Those whose specification stays play on.
    public func replace(with setups: [OutputSetup]) throws(SinkError) {
        let before = state.withLock { $0.outputs }
        var outputs: [Output] = []
        for setup in setups {
            if var same = before.first(where: {
                $0.setup.name == setup.name && $0.setup.specification == setup.specification
            }) {
                if setup.isEnabled, !same.setup.isEnabled { same.lane.report(.idle) }
                same.setup = setup
                outputs.append(same)
            } else {
                let specification = try mapError(of: OutputSpecification(parsing: setup.specification)) {
                    (error: OutputSpecificationError) in SinkError(error.description)
                }
                let lane = OutputLane(try makeSink(specification), volume: setup.volume) { [weak self] in
                    self?.noteReports()
                }
                lane.sink.mixer?.observe { [weak self, weak lane] in self?.heard($0, on: lane) }
                outputs.append(Output(setup: setup, lane: lane))
            }
        }
        state.withLock { [outputs] state in
            for old in before where !outputs.contains(where: { $0.lane === old.lane }) {
                state.earlierUnderruns += old.lane.sink.underruns
                state.leaving = state.leaving.filter { $0.lane != nil } + [Leaving(lane: old.lane)]
            }
            state.outputs = outputs
        }
        apply()
    }

    private func noteReports() {
        let news = state.withLock { state in
            state.outputs.indices.compactMap { index -> (name: String, failure: String?)? in
                let report = state.outputs[index].lane.report
                let failure = report.phase == .failed ? report.reason : nil
                let isNews = report.phase == .ready || failure != nil
                guard isNews, exchange(&state.outputs[index].failure, with: failure) != failure else { return nil }
                return (state.outputs[index].setup.name, failure)
            }
        }
        for output in news { failureChanged(output.name, output.failure) }
        // An output that has returned may need frames earlier than the leading one gets them; then it must lead.
        if let lead = group.lead,
            group.lanes.contains(where: { $0.report.isLate && $0.requiredLead > lead.availableLead })
        {
            apply()
        }
        changed()
    }

    /// Takes the volume that the desktop or the device has set.
    private func heard(_ volume: Int, on lane: OutputLane?) {
        state.withLock { state in
            for index in state.outputs.indices where state.outputs[index].lane === lane {
                state.outputs[index].setup.volume = volume
            }
        }
        volumes.emit(())
        changed()
    }

    /// - Parameter changed: called when the desktop or a device has set a volume, on any thread; must not block.
    public func observeVolumes(_ changed: @escaping @Sendable () -> Void) { volumes.connect { _ in changed() } }

    /// Gives the group its outputs. The sound of those that play continues.
    private func apply() {
        applying.withLock { _ in giveOutputs() }
        changed()
    }

    private func giveOutputs() {
        let outputs = state.withLock { $0.outputs }
        var hasNewVolume = false
        for output in outputs {
            if output.lane.setVolume(output.setup.volume) { hasNewVolume = true }
            output.lane.delay = .milliseconds(output.setup.delay)
        }
        // The leader feeds the others, so choose the one with the longest lead.
        let lanes = outputs.filter(\.setup.isEnabled).map(\.lane).sorted { $0.availableLead > $1.availableLead }
        let before = group.lanes
        let isSame = lanes.count == before.count && lanes.allSatisfy { before.contains($0) }
        let lead = group.lead
        let leadStays = lanes.first { $0 === lead }
        let required = lanes.map(\.requiredLead).max() ?? .zero
        let goesOn = leadStays.map { $0.availableLead >= required } ?? lanes.contains(where: \.isFollowing)
        if goesOn && (isSame || group.isSounding) {
            group.setLanes(lanes, atNextWrite: true)
            if !isSame || hasNewVolume { renderer.writeAgain() }
        } else {
            group.setLanes(lanes, atNextWrite: false)
            renderer.setSink(lanes.isEmpty ? nil : group, startsThread: !before.allSatisfy(lanes.contains))
        }
    }

    /// Closes all outputs and waits for that, at most until then; after the renderer was shut down.
    public func close(until deadline: Instant = .distantFuture) {
        group.end(until: deadline)
        let lanes = state.withLock { state in state.outputs.map(\.lane) + state.leaving.compactMap(\.lane) }
        for lane in lanes {
            lane.join(until: deadline)
            lane.sink.settle(until: deadline)
        }
    }
}
