internal import MediaPorts
internal import PodcastModel

/// Builds a message: numbers in native byte order, strings as length and UTF-8.
struct MessageBytes {
    private(set) var bytes: [UInt8] = []
    mutating func append<Number: FixedWidthInteger>(_ number: Number) {
        withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: String) {
        append(UInt32(text.utf8.count))
        bytes += text.utf8
    }

    mutating func append(_ text: String?) {
        append(UInt8(text == nil ? 0 : 1))
        if let text { append(text) }
    }

    mutating func append(_ time: MediaTime?) {
        append(time?.nanoseconds ?? -1)
    }

    mutating func append(_ parameters: PlaybackParameters) {
        append(UInt16(parameters.speed.hundredths))
        let flags = (parameters.hasVoiceBoost ? 1 : 0) | (parameters.isMono ? 2 : 0)
        append(UInt8(flags | (parameters.measuresLoudness ? 4 : 0)))
        append(Int8(parameters.loudness ?? 0))
        appendLoudness(parameters.measuredLoudness)
        append(Int8(parameters.silence?.threshold ?? 0))
        append(UInt16(parameters.silence?.shortest ?? 0))
        append(UInt16(parameters.silence?.kept ?? 0))
        let skips = parameters.skips.prefix(PlaybackParameters.maximumSkips)
        append(UInt8(skips.count))
        for skip in skips {
            append(skip.lowerBound.nanoseconds)
            append(skip.upperBound.nanoseconds)
        }
    }

    /// Hundredths of LUFS; the lowest number stands for nil.
    private mutating func appendLoudness(_ hundredths: Int?) {
        append(hundredths.flatMap { Int16(exactly: $0) } ?? .min)
    }

    /// Appends a stream's properties: tags, then chapters, as far as the limit allows.
    mutating func append(_ info: StreamInfo, limit: Int) {
        append(info.container)
        append(info.codec)
        append(UInt32(info.format.rate))
        append(UInt32(info.format.channels))
        append(info.format.type.rawValue)
        append(info.duration)
        append(UInt8(info.isExact ? 1 : 0))
        append(Int64(info.bitRate))
        appendLoudness(info.loudness)
        append(info.art?.mime)
        append(info.art?.offset ?? 0)
        append(info.art?.length ?? 0)
        append(UInt8(info.art?.isUnsynchronised == true ? 1 : 0))
        // Tags get at most half of the message, so that long comments do not displace chapters.
        appendCounted(info.tags.sorted { Self.rank($0.key) < Self.rank($1.key) }, limit: limit / 2) { part, tag in
            part.append(tag.key)
            part.append(tag.value)
        }
        appendCounted(info.chapters, limit: limit) { part, chapter in
            part.append(chapter.start.nanoseconds)
            part.append(chapter.end)
            part.append(chapter.title)
            part.append(chapter.link)
            part.append(chapter.image)
            part.append(UInt8(chapter.isListed ? 1 : 0))
        }
    }

    /// Sorts tags that players show first.
    private static func rank(_ name: String) -> (Int, String) {
        (["title", "artist", "album"].firstIndex(of: name) ?? 3, name)
    }

    private mutating func appendCounted<Element>(
        _ elements: [Element], limit: Int, encode: (inout MessageBytes, Element) -> Void
    ) {
        var parts: [[UInt8]] = []
        var length = bytes.count + 4
        for element in elements {
            var part = MessageBytes()
            encode(&part, element)
            length += part.bytes.count
            if length > limit { break }
            parts.append(part.bytes)
        }
        append(UInt32(parts.count))
        for part in parts { bytes += part }
    }
}

/// Parses a message; every read is checked against its end.
struct MessageParts {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) throws(MessageError) -> Number {
        let size = MemoryLayout<Number>.size
        guard bytes.count - place >= size else { throw MessageError() }
        defer { place += size }
        return bytes.loadUnaligned(fromByteOffset: place, as: type)
    }

    mutating func natural() throws(MessageError) -> Int64 {
        let value = try number(Int64.self)
        guard value >= 0 else { throw MessageError() }
        return value
    }

    mutating func time() throws(MessageError) -> MediaTime {
        let value = MediaTime(nanoseconds: try number(Int64.self))
        guard StreamInfo.times.contains(value) else { throw MessageError() }
        return value
    }

    mutating func optionalTime() throws(MessageError) -> MediaTime? {
        if bytes.count - place >= 8, bytes.loadUnaligned(fromByteOffset: place, as: Int64.self) == -1 {
            place += 8
            return nil
        }
        return try time()
    }

    mutating func flag() throws(MessageError) -> Bool { try number(UInt8.self) == 1 }

    /// Text without control characters, because it is shown on terminals.
    mutating func text() throws(MessageError) -> String {
        let count = Int(try number(UInt32.self))
        guard count <= MessageLimits.longestText, bytes.count - place >= count else { throw MessageError() }
        defer { place += count }
        return MessageLimits.text(String(decoding: bytes[place..<place + count], as: UTF8.self))
    }

    mutating func optionalText() throws(MessageError) -> String? {
        try flag() ? try text() : nil
    }

    /// Values out of range are replaced by the nearest valid ones.
    mutating func parameters() throws(MessageError) -> PlaybackParameters {
        var parameters = PlaybackParameters()
        parameters.speed = PlaybackSpeed(hundredths: Int(try number(UInt16.self)))
        let flags = try number(UInt8.self)
        parameters.hasVoiceBoost = flags & 1 != 0
        parameters.isMono = flags & 2 != 0
        parameters.measuresLoudness = flags & 4 != 0
        let loudness = Int(try number(Int8.self))
        if loudness < 0 {
            let range = PlaybackParameters.loudnesses
            parameters.loudness = min(max(loudness, range.lowerBound), range.upperBound)
        }
        parameters.measuredLoudness = try measuredLoudness()
        let (threshold, shortest, kept) = (
            Int(try number(Int8.self)), Int(try number(UInt16.self)), Int(try number(UInt16.self))
        )
        if threshold < 0 {
            parameters.silence = SilenceShortening(threshold: threshold, shortest: shortest, kept: kept)
        }
        let count = Int(try number(UInt8.self))
        guard count <= PlaybackParameters.maximumSkips else { throw MessageError() }
        for _ in 0..<count {
            let (start, end) = (try number(Int64.self), try number(Int64.self))
            guard start < end, MediaTime(nanoseconds: start) >= parameters.skips.last?.upperBound ?? .zero else {
                throw MessageError()
            }
            parameters.skips.append(MediaTime(nanoseconds: start)..<MediaTime(nanoseconds: end))
        }
        return parameters
    }

    /// Hundredths of LUFS.
    private mutating func measuredLoudness() throws(MessageError) -> Int? {
        let value = try number(Int16.self)
        if value == .min { return nil }
        guard PlaybackParameters.measurableLoudnesses.contains(Int(value)) else { throw MessageError() }
        return Int(value)
    }

    mutating func streamInfo() throws(MessageError) -> StreamInfo {
        let container = try text()
        let codec = try text()
        let rate = Int(try number(UInt32.self))
        let channels = Int(try number(UInt32.self))
        guard let type = SampleType(rawValue: try number(UInt32.self)) else { throw MessageError() }
        let format = PCMFormat(rate: rate, channels: channels, type: type)
        guard format.isAccepted else { throw MessageError() }
        var info = StreamInfo(container: container, codec: codec, format: format)
        info.duration = try optionalTime()
        info.isExact = try flag()
        info.bitRate = Int(try natural())
        guard StreamInfo.bitRates.contains(info.bitRate) else { throw MessageError() }
        info.loudness = try measuredLoudness()
        let mime = try optionalText()
        let offset = try natural()
        let length = try natural()
        let isUnsynchronised = try flag()
        if let mime {
            let art = EmbeddedArt(mime: mime, offset: offset, length: length, isUnsynchronised: isUnsynchronised)
            guard art.isAccepted else { throw MessageError() }
            info.art = art
        }
        for _ in 0..<(try number(UInt32.self)) {
            let name = try text()
            info.tags[name] = try text()
        }
        for _ in 0..<(try number(UInt32.self)) {
            let chapter = Chapter(
                start: try time(), end: try optionalTime(), title: try optionalText(), link: try optionalText(),
                image: try optionalText(), isListed: try flag())
            guard chapter.hasAcceptedTimes else { throw MessageError() }
            info.chapters.append(chapter)
        }
        return info
    }

    func finish() throws(MessageError) {
        guard place == bytes.count else { throw MessageError() }
    }
}
