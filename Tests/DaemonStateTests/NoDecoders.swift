import MediaPorts
import PodcastModel

/// Starts no decoder.
struct NoDecoders: DecoderStarting {
    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        events(.restarted(reason: "test"))
        throw MediaFailure(.damaged, "no audio")
    }
}
