/// Playback speed, in hundredths: media seconds per second.
public struct PlaybackSpeed: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Valid speeds, in hundredths.
    static let range = 50...400
    /// Distance between valid speeds, in hundredths.
    static let step = 5
    public static let normal = PlaybackSpeed(hundredths: 100)

    public let hundredths: Int

    /// Values out of range are clamped, others are rounded to a step.
    public init(hundredths: Int) {
        let clamped = min(max(hundredths, Self.range.lowerBound), Self.range.upperBound)
        self.hundredths = (clamped + Self.step / 2) / Self.step * Self.step
    }

    /// The nearest valid speed; nil outside of the range.
    public init?(factor: Double) {
        let hundredths = (factor * 100).rounded()
        guard hundredths >= Double(Self.range.lowerBound), hundredths <= Double(Self.range.upperBound) else {
            return nil
        }
        self.init(hundredths: Int(hundredths))
    }

    /// Parses `1.5`, `1,5` and `1.5x`; nil for other text and outside of the range.
    public init?(parsing text: String) {
        guard let factor = Self.factor(parsing: text) else { return nil }
        self.init(factor: factor)
    }

    /// Parses a number without a sign, in the same formats.
    public static func factor(parsing text: String) -> Double? {
        var digits = text.utf8.map { $0 == .comma ? .point : $0 }
        if digits.last == UInt8(ascii: "x") { digits.removeLast() }
        let isNumber = digits.first.map { $0 != .point } ?? false
        guard isNumber, digits.allSatisfy({ (48...57).contains($0) || $0 == .point }) else { return nil }
        return Double(String(utf8: digits))
    }

    public var factor: Double { Double(hundredths) / 100 }

    public static func < (left: Self, right: Self) -> Bool { left.hundredths < right.hundredths }

    /// `1`, `1.5`, `1.25`.
    public var description: String { Self.text(hundredths: hundredths) }

    /// A number that is not negative, without trailing zeros.
    public static func text(hundredths: Int) -> String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest % 10 == 0 { return rest == 0 ? "\(whole)" : "\(whole).\(rest / 10)" }
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// How pauses in speech are shortened.
public struct SilenceShortening: Hashable, Sendable {
    /// Valid values of `threshold`, in dBFS.
    public static let thresholds = -70 ... -20
    /// Valid values of `shortest`, in milliseconds.
    public static let pauses = 100...5000

    /// Sound below this level is silence, in dBFS.
    public var threshold: Int
    /// Pauses of at least this length are shortened, in milliseconds.
    public var shortest: Int
    /// Length of a shortened pause in milliseconds; less than `shortest`.
    public var kept: Int

    public init(threshold: Int = -42, shortest: Int = 500, kept: Int = 250) {
        self.threshold = min(max(threshold, Self.thresholds.lowerBound), Self.thresholds.upperBound)
        self.shortest = min(max(shortest, Self.pauses.lowerBound), Self.pauses.upperBound)
        self.kept = min(max(kept, 20), self.shortest - 20)
    }
}

/// Processing of an episode's sound between decoder and output.
public struct PlaybackParameters: Hashable, Sendable {
    /// Possible loudness of recordings, in hundredths of LUFS.
    public static let measurableLoudnesses = -10_000...2_000
    /// Valid values of `loudness`, in LUFS.
    static let loudnesses = -30 ... -10
    /// Maximum number of skipped ranges; further ranges are played.
    public static let maximumSkips = 64
    public static let neutral = PlaybackParameters()

    /// Keeps the pitch.
    public var speed = PlaybackSpeed.normal
    /// Nil to keep pauses.
    public var silence: SilenceShortening?
    /// Target loudness of every episode, in LUFS (ITU-R BS.1770); nil to keep the recording's loudness.
    public var loudness: Int?
    /// Loudness of the whole recording in hundredths of LUFS, if measured before; used only with `loudness`.
    public var measuredLoudness: Int?
    /// True to measure the loudness of the whole recording (see `StreamInfo.loudness`) instead of playing.
    public var measuresLoudness = false
    /// Emphasizes voices: equalizer and compressor.
    public var hasVoiceBoost = false
    /// True to play the mix of all channels on every channel.
    public var isMono = false
    /// Ranges of the episode that are not played, ascending and disjoint.
    public var skips: [Range<MediaTime>] = []

    public init() {}

    /// End of the skipped range at `position`, where playback continues; ignores a range up to the episode's end.
    public func end(ofSkipAt position: MediaTime) -> MediaTime {
        guard let skip = skips.first(where: { $0.contains(position) }), skip.upperBound < .distantFuture else {
            return position
        }
        return skip.upperBound
    }

    public func isEndLeftOut(from position: MediaTime) -> Bool {
        skips.last.map { $0.upperBound == .distantFuture && $0.contains(position) } ?? false
    }

    public var changesSamples: Bool {
        speed != .normal || silence != nil || loudness != nil || hasVoiceBoost || isMono || measuresLoudness
    }
}
