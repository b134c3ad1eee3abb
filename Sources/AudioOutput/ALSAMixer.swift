internal import MediaPorts
internal import PodcastModel
internal import SerialThreads
internal import SoundDevices
internal import Synchronization
internal import SystemCalls

/// The volume that a card applies itself. A thread sets and follows the volume from the first `open` on, also during pauses, until the
/// card is unplugged. Until a listener sets a volume, the card keeps its own, so a new output is never suddenly loud; a card that comes
/// back gets the volume that it had.
final class ALSAMixer: SinkMixer {
    static let option = OutputOption(
        name: "mixer", kind: ValueKind(.string, maximumBytes: 64), standard: "",
        help:
            "Element of the card's mixer that sets the output's volume, such as PCM; without it podcastd changes the samples."
    )

    private struct State {
        /// In percent; nil before the first `setVolume`.
        var volume: Int?
        /// A volume that the card does not have yet.
        var due: Int?
        var isFollowing = false
        var isFinished = false
    }

    /// In percent.
    private static let coarsestStep = 10

    private let element: String
    private let wakeUp: EventDescriptor
    private let state = Mutex(State())
    private let listener = Listener<Int>()

    init(element: String) throws(SystemError) {
        self.element = element
        wakeUp = try EventDescriptor()
    }

    /// The first volume is the stored one, which the card's replaces.
    func setVolume(_ percent: Int) {
        state.withLock { state in
            let before = exchange(&state.volume, with: percent)
            if before != nil, before != percent { state.due = percent }
        }
        wakeUp.signal()
    }

    func observe(_ changed: @escaping @Sendable (Int) -> Void) { listener.connect(changed) }

    /// Follows the card of an open device, unless the thread follows it already.
    func open(_ device: PlaybackDevice, of output: String) throws(SinkError) {
        guard !state.withLock({ $0.isFollowing }) else { return }
        let card = ThreadConfined(try Self.card(of: device, with: element, output))
        state.withLock { state in
            let thread = try? DedicatedThread(name: .mixer) { [self] in follow(card.state) }
            thread?.detach()
            state.isFollowing = thread != nil
        }
    }

    /// The mixer of a device, which has the element.
    static func card(of device: PlaybackDevice, with element: String, _ output: String) throws(SinkError) -> CardMixer {
        let card = try mapError(of: CardMixer(of: device)) { (error: ALSAError) in
            SinkError("\(output) has no mixer (\(error)); remove the option mixer", isTemporary: true)
        }
        let names = card.names
        if names.contains(element) { return card }
        let fix = names.isEmpty ? "remove the option mixer" : "use one of \(names.joinedText(", "))"
        throw SinkError("the mixer of \(output) has no playback volume \(element); \(fix)")
    }

    /// Ends the thread.
    func finish() {
        state.withLock { $0.isFinished = true }
        wakeUp.signal()
    }

    private func follow(_ card: CardMixer) {
        var seen: Int?
        while !state.withLock({ $0.isFinished }) {
            let due = state.withLock { exchange(&$0.due, with: nil) }
            if let due { try? card.setVolume(due, of: element) }
            guard let volume = card.volume(of: element) else { break }
            // The step that a card has nearest to a set volume is not another volume; what is further off was set by another program.
            let isStep = due.map { abs($0 - volume) <= Self.coarsestStep } ?? false
            if !isStep, volume != seen { cardHas(volume) }
            seen = volume
            var entries = ([wakeUp.raw] + card.descriptors).map { PollEntry($0) }
            _ = try? waitForAny(&entries, until: .distantFuture)
            wakeUp.clear()
            // The card was unplugged. The sound fails as well, and reports it.
            guard (try? card.update()) != nil else { break }
        }
        state.withLock {
            $0.isFollowing = false
            $0.due = $0.volume
        }
    }

    private func cardHas(_ volume: Int) {
        let isNew = state.withLock { $0.due == nil && exchange(&$0.volume, with: volume) != volume }
        if isNew { listener.emit(volume) }
    }
}
