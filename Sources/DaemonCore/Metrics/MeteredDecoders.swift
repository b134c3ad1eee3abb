internal import MediaPorts
internal import PodcastModel
internal import Reporting
internal import Synchronization

/// Starts decoders through another starter, and counts and logs their restarts and failures.
final class MeteredDecoders: DecoderStarting {
    let starts = Atomic<UInt64>(0)
    let restarts = Atomic<UInt64>(0)
    /// Sessions that could not start or continue.
    let failures = Atomic<UInt64>(0)

    private let base: any DecoderStarting
    private let logger: Logger

    /// Counts the sessions of `base`.
    init(_ base: any DecoderStarting, logger: Logger) {
        self.base = base
        self.logger = logger
    }

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        starts.wrappingAdd(1, ordering: .relaxed)
        do throws(MediaFailure) {
            return try base.start(source, at: time, generation: generation, parameters) { [self] event in
                note(event)
                events(event)
            }
        } catch {
            failed(error)
            throw error
        }
    }

    private func note(_ event: DecoderEvent) {
        switch event {
        case .restarted(let reason):
            restarts.wrappingAdd(1, ordering: .relaxed)
            logger.log(.warning, .decoder, "started again: \(reason)")
        case .failed(let failure): failed(failure)
        case .opened, .waitingForBytes, .decoding, .positioned, .reachedEnd: break
        }
    }

    private func failed(_ failure: MediaFailure) {
        failures.wrappingAdd(1, ordering: .relaxed)
        logger.log(.warning, .decoder, failure.message)
    }
}
