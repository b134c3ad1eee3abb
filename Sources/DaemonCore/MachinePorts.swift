internal import AudioOutput
internal import DecoderHost
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Time, sound and other programs; by default the real ones.
struct MachinePorts: Sendable {
    var now: @Sendable () -> Timestamp = { .now }
    /// The player's timers; nil uses those of the decision thread.
    var playbackClock: (any TimerClock)?
    /// The clock for retries of failed fetches; nil uses the fetching thread's.
    var fetchClock: (any TimerClock)?
    /// The clock of the sink thread.
    var outputClock: any OutputClock = SystemOutputClock()
    var sinks: any SinkMaking = SinkFactory()
    var decoders: any DecoderStarting = DecoderLauncher()
    /// Path of podcast-refresh; nil uses the one in the running program's folder.
    var refresher: String?
}
