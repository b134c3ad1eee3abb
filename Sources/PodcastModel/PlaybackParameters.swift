/// Playback speed, in hundredths: media seconds per second.
public struct PlaybackSpeed: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Speeds that can be set, in hundredths.
    public static let range = 50...400
    /// Distance of two speeds that can be set, in hundredths.
    public static let step = 5
    public static let normal = PlaybackSpeed(hundredths: 100)

    public let hundredths: Int

    /// Values out of range are clamped, others are rounded to a step.
    public init(hundredths: Int) {
        let clamped = min(max(hundredths, Self.range.lowerBound), Self.range.upperBound)
        self.hundredths = (clamped + Self.step / 2) / Self.step * Self.step
    }

    /// The nearest speed; nil outside of the range.
    public init?(factor: Double) {
        let hundredths = (factor * 100).rounded()
        guard hundredths >= Double(Self.range.lowerBound), hundredths <= Double(Self.range.upperBound) else {
            return nil
        }
        self.init(hundredths: Int(hundredths))
    }

    /// Parses `1.5`, `1,5` and `1.5x`; nil for anything else and outside of the range.
    public init?(parsing text: String) {
        guard let factor = Self.factor(parsing: text) else { return nil }
        self.init(factor: factor)
    }

    /// Parses a number without a sign, in the same spellings.
    public static func factor(parsing text: String) -> Double? {
        var digits = text.utf8.map { $0 == UInt8(ascii: ",") ? UInt8(ascii: ".") : $0 }
        if digits.last == UInt8(ascii: "x") { digits.removeLast() }
        let isNumber = digits.first.map { $0 != UInt8(ascii: ".") } ?? false
        guard isNumber, digits.allSatisfy({ (48...57).contains($0) || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(String(decoding: digits, as: UTF8.self))
    }

    public var factor: Double { Double(hundredths) / 100 }

    public static func < (left: Self, right: Self) -> Bool { left.hundredths < right.hundredths }

    /// `1`, `1.5`, `1.25`.
    public var description: String {
        let (whole, rest) = hundredths.quotientAndRemainder(dividingBy: 100)
        if rest == 0 { return "\(whole)" }
        if rest % 10 == 0 { return "\(whole).\(rest / 10)" }
        return "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

/// How pauses in speech are shortened.
public struct SilenceShortening: Hashable, Sendable {
    /// Levels, in decibels of full scale.
    public static let thresholds = -70 ... -20
    /// Milliseconds.
    public static let pauses = 100...5000

    /// Sound below this level counts as silence, in decibels of full scale.
    public var threshold: Int
    /// Pauses of at least this length are shortened, in milliseconds.
    public var shortest: Int
    /// What remains of a shortened pause, in milliseconds; less than `shortest`.
    public var kept: Int

    public init(threshold: Int = -42, shortest: Int = 500, kept: Int = 250) {
        self.threshold = min(max(threshold, Self.thresholds.lowerBound), Self.thresholds.upperBound)
        self.shortest = min(max(shortest, Self.pauses.lowerBound), Self.pauses.upperBound)
        self.kept = min(max(kept, 20), self.shortest - 20)
    }
}

/// How an episode is played: what happens to its sound between decoder and output.
public struct PlaybackParameters: Hashable, Sendable {
    /// Loudness that recordings can have, in hundredths of LUFS.
    public static let measurableLoudnesses = -10_000...2_000
    /// Loudness that can be asked for, in LUFS.
    public static let loudnesses = -30 ... -10
    /// Most parts that can be skipped; others are played.
    public static let maximumSkips = 64
    /// Everything as it was recorded; nothing is processed.
    public static let neutral = PlaybackParameters()

    /// The pitch is kept.
    public var speed = PlaybackSpeed.normal
    /// Nil to keep pauses as they are.
    public var silence: SilenceShortening?
    /// The loudness that every episode gets, in LUFS (ITU-R BS.1770); nil to keep that of the recording.
    public var loudness: Int?
    /// The loudness of the whole recording in hundredths of LUFS, if it was measured before; only with `loudness`.
    public var measuredLoudness: Int?
    /// Nothing is played: the loudness of the whole recording is measured, and comes with the stream's properties at the end.
    public var measuresLoudness = false
    /// Emphasizes voices: equalizer and compressor.
    public var hasVoiceBoost = false
    /// All channels play the mix of all.
    public var isMono = false
    /// Parts of the episode that are not played, ascending and disjoint.
    public var skips: [Range<MediaTime>] = []

    public init() {}

    /// Where playback continues that arrives at a position by itself: after the part that is skipped there. A part that reaches
    /// to the end of the episode does not count.
    public func end(ofSkipAt position: MediaTime) -> MediaTime {
        guard let skip = skips.first(where: { $0.contains(position) }), skip.upperBound < .distantFuture else {
            return position
        }
        return skip.upperBound
    }

    /// Whether everything from a position on is left out.
    public func isEndLeftOut(from position: MediaTime) -> Bool {
        skips.last.map { $0.upperBound == .distantFuture && $0.contains(position) } ?? false
    }

    /// Whether samples are changed.
    public var changesSamples: Bool {
        speed != .normal || silence != nil || loudness != nil || hasVoiceBoost || isMono || measuresLoudness
    }
}
