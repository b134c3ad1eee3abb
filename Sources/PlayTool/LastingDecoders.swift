internal import DecoderHost
internal import MediaPorts
internal import PodcastModel
internal import Synchronization

/// Starts decoders and lets the program wait for the end of the last one, so that no process stays behind and the
/// decoder's resource usage counts for the program.
final class LastingDecoders: DecoderStarting {
    private let launcher = DecoderLauncher()
    private let last = Mutex<DecoderProcessSession?>(nil)

    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        let session = try launcher.open(source, at: time, generation: generation, parameters, events: events)
        let earlier = last.withLock { last in
            defer { last = session }
            return last
        }
        // Released outside the lock.
        _ = earlier
        return session
    }

    /// Ends the last decoder and waits until it has exited. Blocks; call it from one thread.
    func finish() {
        let session = last.withLock { last in
            defer { last = nil }
            return last
        }
        session?.stop()
        session?.waitUntilGone()
    }
}
