/// The times by which outputs come into step and stay there. Those of one sink are its `latencies` and its `learningTime`.
enum GroupTiming {
    /// How late a thread may be on a busy machine: frames are written this much earlier than the first output needs them.
    static let lateThread = Duration.milliseconds(500)
    /// The latency of a device may be this much shorter than it says when it begins, and an output that follows begins with silence.
    static let leadIn = Duration.milliseconds(350)
    /// The time in which the leading output learns which frame is heard.
    static let anchorWait = Duration.milliseconds(250)
    /// A piece of silence, and the time between two looks at a sink.
    static let tick = Duration.milliseconds(20)
    /// The least silence that is left in a sink before more is written. Little, because the first frame is heard after it.
    static let leastSilence = Duration.milliseconds(60)
    /// The time within which a sound should come into step and its rest should be heard.
    static let patience = Duration.seconds(5)
    /// The time within which a thread ends after its sink was interrupted.
    static let end = Duration.seconds(1)
    /// How exactly a sound begins.
    static let exactness = Duration.milliseconds(1)
    /// Smaller differences between two outputs stay: they cannot be heard, and each correction changes the sound.
    static let tolerance = Duration.milliseconds(5)
    /// A greater difference is not corrected; the sound begins again.
    static let farOff = Duration.milliseconds(80)
}
