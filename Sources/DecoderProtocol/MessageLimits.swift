internal import MediaPorts
internal import PodcastModel

/// What the values of a `DecoderMessage` may be, for both ends: the decoder sends nothing outside these limits, and the
/// daemon takes a message outside them as a sign of a broken decoder.
enum MessageLimits {
    /// The most bytes of one text in UTF-8.
    static let longestText = 2048

    /// A text as a message has it: one line for a terminal, cut at `longestText`.
    static func text(_ text: String) -> String {
        SafeText.title(text, atMostBytes: longestText) ?? ""
    }

    /// The nearest time that a file can have.
    static func nearest(_ time: MediaTime) -> MediaTime {
        min(max(time, StreamInfo.times.lowerBound), StreamInfo.times.upperBound)
    }

    /// A time that a file can have, or nil: a file that announces another is wrong about it.
    static func possible(_ time: MediaTime?) -> MediaTime? {
        time.flatMap { StreamInfo.times.contains($0) ? $0 : nil }
    }
}

extension DecoderMessage {
    /// The message that arrives at the other end. A value that no file can have is left out, or becomes unknown: an
    /// announced duration, a chapter, a picture's place. A place in the file moves to the nearest that is accepted.
    ///
    /// Tags and chapters are left out too where the message would be longer than `maximumLength`; here they are all.
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
    /// What of it is accepted; nil for audio in a format that is not.
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
        // By name, so that of two that are one after cleaning the same stays each time.
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

    /// What of it is accepted; nil for one that begins where no file has a place.
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
