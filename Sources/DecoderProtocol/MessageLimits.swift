internal import MediaPorts
internal import PodcastModel

/// Valid values of a `DecoderMessage`. A file, or a hostile decoder, may have others.
enum MessageLimits {
    /// In UTF-8 bytes.
    static let longestText = 16_384

    /// Makes a string valid: one line without control characters, at most `longestText` bytes.
    static func text(_ text: String) -> String { SafeText.title(text, atMostBytes: longestText) ?? "" }

    static func nearest(_ time: MediaTime) -> MediaTime {
        min(max(time, StreamInfo.times.lowerBound), StreamInfo.times.upperBound)
    }

    /// Nil for an invalid time, which only damaged files contain.
    static func possible(_ time: MediaTime?) -> MediaTime? { time.flatMap { StreamInfo.times.contains($0) ? $0 : nil } }
}

extension DecoderMessage {
    /// Without invalid durations, chapters and picture places, and with the nearest valid positions.
    var withinLimits: DecoderMessage {
        switch self {
        case .opened(let info):
            if let info = info.withinLimits { return .opened(info) }
            let format = "\(info.format.rate) Hz with \(info.format.channels) channels"
            return .failed("audio of \(format) is not supported")
        case .wanting(let generation, let offset): return .wanting(generation: generation, offset: max(0, offset))
        case .positioned(let generation, let time):
            return .positioned(generation: generation, at: MessageLimits.nearest(time))
        case .ended(let generation, let duration):
            return .ended(generation: generation, duration: MessageLimits.possible(duration))
        case .proceeding, .notAudio, .failed: return self
        }
    }
}

extension StreamInfo {
    /// Nil for an invalid audio format.
    fileprivate var withinLimits: StreamInfo? {
        guard PCMFormat.rates.contains(format.rate), PCMFormat.channelCounts.contains(format.channels) else {
            return nil
        }
        var info = self
        info.duration = MessageLimits.possible(duration)
        info.damage = MessageLimits.possible(damage)
        if duration != nil && info.duration == nil { info.isExact = false }
        if !Self.bitRates.contains(bitRate) { info.bitRate = 0 }
        info.loudness = loudness.flatMap { PlaybackParameters.measurableLoudnesses.contains($0) ? $0 : nil }
        info.art = art.flatMap { art in
            let isPossible = art.offset >= 0 && art.length >= 0 && art.length <= .max - art.offset
            return isPossible ? art : nil
        }
        info.chapters = chapters.compactMap(\.withinLimits)
        return info
    }
}

extension Chapter {
    /// Nil if the chapter's start is invalid.
    fileprivate var withinLimits: Chapter? {
        guard StreamInfo.times.contains(start) else { return nil }
        var chapter = self
        chapter.end = MessageLimits.possible(end).flatMap { $0 >= start ? $0 : nil }
        return chapter
    }
}
