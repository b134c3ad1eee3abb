internal import AudioOutput
internal import DecoderHost
internal import EpisodeCache
internal import MediaPorts
internal import Playback
internal import PodcastModel

/// What a daemon has of the machine: time, sound and other programs. Whatever is not passed in is the real one.
struct MachinePorts: Sendable {
    /// The calendar.
    var now: @Sendable () -> Timestamp = { SystemTime.now }
    /// The player's timers; nil takes those of the decision thread.
    var playbackClock: (any PlaybackClock)?
    /// When a fetch that failed is tried again; nil takes the fetching thread's time.
    var fetchClock: (any FetchClock)?
    /// Time and waiting of the sink thread.
    var outputClock: any OutputClock = MonotonicClock()
    /// Makes sound.
    var sinks: any SinkMaking = SinkFactory()
    /// Starts decoders.
    var decoders: any DecoderStarting = DecoderLauncher()
    /// podcast-refresh's file; nil takes the one beside the running program.
    var refresher: String?
}
