import MediaPorts
import PodcastModel

private final class Silence: PCMSource {
    func nextChunk() -> PCMChunk? { nil }
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { 0 }
    let readinessDescriptor: Int32 = -1
    func prepareToWait() -> Bool { true }
    let bufferedSeconds = 0.0
    let isFilled = false
}

private final class Session: DecoderSession {
    let pcm: any PCMSource = Silence()
    func seek(to time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters) {}
    func stop() {}
}

/// Decoders that ask for bytes, like real ones, and report one event; without an event they do nothing.
struct SilentDecoders: DecoderStarting {
    var event: DecoderEvent?
    func start(
        _ source: any ByteSource, at time: MediaTime, generation: UInt32, _ parameters: PlaybackParameters,
        events: @escaping @Sendable (DecoderEvent) -> Void
    ) throws(MediaFailure) -> any DecoderSession {
        if let event {
            source.want(from: 0)
            events(event)
        }
        return Session()
    }
}
