internal import MediaPorts
internal import PodcastModel

/// Valid values of a `DecoderMessage`: decoders send only such values, and others count as a decoder fault.
enum MessageLimits {
    /// In UTF-8 bytes.
    static let longestText = 16_384

    /// Makes a string valid: one line without control characters, at most `longestText` bytes.
    static func text(_ text: String) -> String {
        SafeText.title(text, atMostBytes: longestText) ?? ""
    }

    static func nearest(_ time: MediaTime) -> MediaTime {
        min(max(time, StreamInfo.times.lowerBound), StreamInfo.times.upperBound)
    }

    /// Nil for an invalid time, which only damaged files contain.
    static func possible(_ time: MediaTime?) -> MediaTime? {
        time.flatMap { StreamInfo.times.contains($0) ? $0 : nil }
    }
}

extension DecoderMessage {
    /// The message with valid values only: omits invalid durations, chapters and picture places; replaces invalid
    /// positions by the nearest valid ones. Contains all tags and chapters, even if the message becomes too long.
    public var withinLimits: DecoderMessage {
        switch self {
        case .opened(let info):
            if let info = info.withinLimits { return .opened(info) }
            let format = "\(info.format.rate) Hz with \(info.format.channels) channels"
            return .failed(MessageLimits.text("audio of \(format) is not supported"))
        case .wanting(let generation, let offset): return .wanting(generation: generation, offset: max(0, offset))
        case .proceeding: return self
        case .positioned(let generation, let time):
            return .positioned(generation: generation, at: MessageLimits.nearest(time))
        case .ended(let generation, let duration):
            return .ended(generation: generation, duration: MessageLimits.possible(duration))
        case .notAudio(let looksLike): return .notAudio(looksLike: looksLike.map(MessageLimits.text))
        case .failed(let words): return .failed(MessageLimits.text(words))
        }
    }
}

extension StreamInfo {
    /// Nil for an invalid audio format.
    fileprivate var withinLimits: StreamInfo? {
        guard format.isAccepted else { return nil }
        var info = self
        info.container = MessageLimits.text(container)
        info.codec = MessageLimits.text(codec)
        info.duration = MessageLimits.possible(duration)
        if duration != nil && info.duration == nil { info.isExact = false }
        if !Self.bitRates.contains(bitRate) { info.bitRate = 0 }
        info.art = art.flatMap { $0.isAccepted ? $0 : nil }
        if let mime = info.art?.mime { info.art?.mime = MessageLimits.text(mime) }
        // Sorted, so that the result does not vary if two names are equal after cleaning.
        let ordered = tags.sorted { $0.key < $1.key }
        info.tags = Dictionary(
            ordered.map { (MessageLimits.text($0.key), MessageLimits.text($0.value)) },
            uniquingKeysWith: { first, _ in first })
        info.chapters = chapters.compactMap(\.withinLimits)
        return info
    }
}

extension PCMFormat {
    var isAccepted: Bool { Self.rates.contains(rate) && Self.channelCounts.contains(channels) }
}

extension EmbeddedArt {
    var isAccepted: Bool { offset >= 0 && length >= 0 && !offset.addingReportingOverflow(length).overflow }
}

extension Chapter {
    var hasAcceptedTimes: Bool {
        StreamInfo.times.contains(start) && (end.map { $0 >= start && StreamInfo.times.contains($0) } ?? true)
    }

    /// Nil if the chapter's start is invalid.
    fileprivate var withinLimits: Chapter? {
        var chapter = self
        if !chapter.hasAcceptedTimes { chapter.end = nil }
        guard chapter.hasAcceptedTimes else { return nil }
        chapter.title = title.map(MessageLimits.text)
        chapter.link = link.map(MessageLimits.text)
        chapter.image = image.map(MessageLimits.text)
        return chapter
    }
}
