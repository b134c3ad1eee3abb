/// The user's sound settings for all feeds.
public struct SoundSettings: Hashable, Sendable {
    public var speed = PlaybackSpeed.normal
    public var shortensSilence = false
    /// Used if `shortensSilence`.
    public var silence = SilenceShortening()
    /// In LUFS; nil to keep each recording's loudness.
    public var loudness: Int?
    public var hasVoiceBoost = false
    public var isMono = false
    /// Skipped at the beginning and end of each episode.
    public var skippedStart = MediaTime.zero
    public var skippedEnd = MediaTime.zero
    /// Titles of skipped chapters; `*` matches any text; case is ignored.
    public var skippedChapters: [String] = []

    public init() {}

    /// The settings for a feed.
    /// - Parameter isMusic: true for a music feed, which is played unprocessed unless the feed has its own settings.
    public func applied(to feed: FeedSound, isMusic: Bool) -> SoundSettings {
        var settings = self
        if isMusic {
            settings = SoundSettings()
            settings.silence = silence
        }
        settings.speed = feed.speed ?? settings.speed
        settings.shortensSilence = feed.shortensSilence ?? settings.shortensSilence
        if let loudness = feed.loudness { settings.loudness = loudness.target }
        settings.hasVoiceBoost = feed.hasVoiceBoost ?? settings.hasVoiceBoost
        settings.isMono = feed.isMono ?? settings.isMono
        settings.skippedStart = feed.skippedStart ?? settings.skippedStart
        settings.skippedEnd = feed.skippedEnd ?? settings.skippedEnd
        settings.skippedChapters = feed.skippedChapters ?? settings.skippedChapters
        return settings
    }

    /// The playback parameters of an episode.
    /// - Parameters:
    ///   - chapters: ordered by start time.
    ///   - duration: nil if unknown; then nothing is skipped at the end.
    ///   - measured: the recording's loudness in hundredths of LUFS, if measured.
    public func parameters(
        chapters: [Chapter], duration: MediaTime?, marked: [Range<MediaTime>] = [], measured: Int? = nil
    ) -> PlaybackParameters {
        var parameters = PlaybackParameters()
        parameters.speed = speed
        parameters.silence = shortensSilence ? silence : nil
        parameters.loudness = loudness
        parameters.measuredLoudness = loudness == nil ? nil : measured
        parameters.hasVoiceBoost = hasVoiceBoost
        parameters.isMono = isMono
        parameters.skips = skips(chapters, duration, marked)
        return parameters
    }

    private func skips(
        _ chapters: [Chapter], _ duration: MediaTime?, _ marked: [Range<MediaTime>]
    ) -> [Range<MediaTime>] {
        let marked = marked.filter { $0.lowerBound >= .zero }
        var skips = marked
        if skippedStart > .zero { skips.append(.zero..<skippedStart) }
        let patterns = skippedChapters.map(TitlePattern.init(whole:))
        let list = ChapterList(merging: patterns.isEmpty ? [] : [chapters])
        for (index, chapter) in list.chapters.enumerated() where chapter.start >= .zero {
            guard let title = chapter.title, patterns.contains(where: { $0.fits(title) }) else { continue }
            if let time = list.time(of: index, duration: duration) { skips.append(time) }
        }
        if skippedEnd > .zero, let duration, duration > skippedEnd {
            skips.append((duration - skippedEnd)..<MediaTime.distantFuture)
        }
        if let duration {
            skips = skips.map { $0.upperBound >= duration ? $0.lowerBound..<MediaTime.distantFuture : $0 }
        }
        let joined = Self.joined(skips)
        // Ignore settings that would skip the whole episode.
        return joined == [MediaTime.zero..<MediaTime.distantFuture] ? Self.joined(marked) : joined
    }

    private static func joined(_ ranges: [Range<MediaTime>]) -> [Range<MediaTime>] {
        var joined: [Range<MediaTime>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return Array(joined.prefix(PlaybackParameters.maximumSkips))
    }
}

/// A feed's own sound settings; nil to use the settings for all feeds.
public struct FeedSound: Hashable, Sendable {
    public enum Loudness: Hashable, Sendable, CustomStringConvertible {
        case off
        /// In LUFS.
        case target(Int)

        /// Parses `off` and a whole number of LUFS such as `-16`.
        public init?(parsing text: String) {
            if text == "off" {
                self = .off
            } else if let number = Int(text), PlaybackParameters.loudnesses.contains(number) {
                self = .target(number)
            } else {
                return nil
            }
        }

        public var description: String { target.map(String.init) ?? "off" }

        public var target: Int? {
            switch self {
            case .off: nil
            case .target(let level): level
            }
        }
    }

    public var speed: PlaybackSpeed?
    var shortensSilence: Bool?
    public var loudness: Loudness?
    var hasVoiceBoost: Bool?
    var isMono: Bool?
    var skippedStart: MediaTime?
    var skippedEnd: MediaTime?
    var skippedChapters: [String]?

    public init() {}

    /// Reads a feed's settings by name; ignores invalid values.
    public init(_ settings: [String: String]) {
        func value(_ setting: FeedSetting) -> String? { settings[setting.rawValue] }
        func flag(_ setting: FeedSetting) -> Bool? { value(setting).map { $0 == "yes" } }
        speed = value(.speed).flatMap(PlaybackSpeed.init(parsing:))
        shortensSilence = flag(.silence)
        loudness = value(.loudness).flatMap(Loudness.init(parsing:))
        hasVoiceBoost = flag(.voiceBoost)
        isMono = flag(.mono)
        skippedStart = value(.skipStart).flatMap(Self.time)
        skippedEnd = value(.skipEnd).flatMap(Self.time)
        skippedChapters = value(.skipChapters).map(Self.titles)
    }

    /// Seconds that can be skipped at either end of an episode.
    static let skippable = 0...3600

    private static func time(_ text: String) -> MediaTime? {
        MediaTime(parsing: text).flatMap { $0 <= MediaTime(seconds: Double(skippable.upperBound)) ? $0 : nil }
    }

    /// Splits a list of titles separated by semicolons.
    public static func titles(_ text: String) -> [String] {
        text.split(separator: ";").map { title in
            var title = title.drop { $0 == " " }
            while title.last == " " { title.removeLast() }
            return String(title)
        }.filter { !$0.isEmpty }
    }
}
