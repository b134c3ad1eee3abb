internal import MediaPorts
internal import PodcastModel
internal import Reporting
internal import Synchronization

/// Starts decoders through another starter, and counts and logs their restarts and failures.
final class MeteredDecoders: DecoderStarting {
    struct Counts {
        var (starts, restarts) = (0, 0)
        /// Sessions that could not start or continue.
        var failures = 0
    }

    private let state = Mutex(Counts())
    var counts: Counts { state.withLock { $0 } }
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
        state.withLock { $0.starts += 1 }
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
            state.withLock { $0.restarts += 1 }
            logger.log(.warning, .decoder, "started again: \(reason)")
        case .failed(let failure): failed(failure)
        case .opened, .waitingForBytes, .decoding, .positioned, .reachedEnd: break
        }
    }

    private func failed(_ failure: MediaFailure) {
        state.withLock { $0.failures += 1 }
        logger.log(.warning, .decoder, failure.message)
    }
}
