internal import MediaPorts
internal import PodcastModel

/// A container whose first audio stream can be decoded.
final class OpenFile {
    let container: MediaContainer
    let codec: AudioCodec
    let isUntimed: Bool
    /// True if only pages of several packets have times.
    let isPaged: Bool
    /// Whether the times begin again within the file, so that they identify no frame.
    private(set) var isJoined: Bool
    /// The container's time of the first audible frame; nil before that frame.
    private var origin: Int64?
    /// Places of counted frames, about one per second: times of the container, or file offsets without times.
    var places = PersistentIndex()
    let input: any DecoderInput
    /// Frames of the last decoded packet.
    var samplesPerPacket: Int64?
    /// File offset of the first packet, in a format without times.
    var firstOffset: Int64?
    /// Number of consecutive packets that could not be decoded.
    private(set) var faults = 0

    /// Maximum bytes to read to detect a file's format.
    private static let probeSize: Int64 = 1 << 20
    /// Maximum number of consecutive undecodable packets.
    private static let mostFaults = 2000

    init(_ input: any DecoderInput) throws(DecoderError) {
        self.input = input
        container = try mapError(
            of: MediaContainer(input, formats: ContainerKind.formats, probeSize: Self.probeSize)
        ) { (error: FFmpegError) in error.isInterruption ? DecoderError.interrupted : .notAudio(looksLike: nil) }
        isUntimed = ContainerKind.untimed.contains(container.formatName)
        isPaged = container.formatName == "ogg"
        do throws(FFmpegError) {
            codec = try AudioCodec(container)
        } catch {
            throw .notAudio(looksLike: ContainerKind.unsupported(container.codecName, tag: container.codecTag))
        }
        isJoined = isPaged ? try JoinedFile.isOgg(input) : false
    }

    func call<Answer>(_ answer: @autoclosure () throws(FFmpegError) -> Answer) throws(DecoderError) -> Answer {
        try mapError(of: try answer()) { (error: FFmpegError) in
            error.isInterruption ? DecoderError.interrupted : .library("\(error)")
        }
    }

    /// Sends the packet that was read. An undecodable packet loses only its own frames.
    func sendPacket() throws(DecoderError) {
        let isDecodable = try call(try codec.send(container))
        faults = isDecodable ? 0 : faults + 1
        if faults > Self.mostFaults { throw .library("nothing can be decoded from here on") }
    }

    /// Key of the first packet in the index.
    var start: Int64? { isUntimed ? firstOffset : origin }

    // MARK: Times

    /// True if the container's times identify frames exactly.
    func hasExactTimes(rate: Int) -> Bool {
        let base = container.timeBase
        return base.den > 0 && base.num * Int64(rate) % base.den == 0
    }

    /// Positions beyond this one, more than a thousand hours, come from invalid times.
    private static let farthest: UInt64 = 1 << 48

    /// The position of a container's time. The first requested time is the beginning.
    /// - Returns: nil if the time is invalid.
    func position(of time: Int64, rate: Int) -> Int64? {
        let start = origin ?? time
        origin = start
        let (distance, overflow) = time.subtractingReportingOverflow(start)
        let position = Self.scale(
            distance, by: container.timeBase.num * Int64(rate), container.timeBase.den)
        guard !overflow, let position, position.magnitude < Self.farthest else { return nil }
        return position
    }

    /// Another file was joined here: its times begin again, and positions continue.
    func beginNext(at position: Int64, time: Int64, rate: Int) {
        let base = container.timeBase
        let ticks = Self.scale(position, by: base.den, base.num * Int64(rate))
        guard let (start, overflow) = ticks.map(time.subtractingReportingOverflow), !overflow else { return }
        origin = start
        isJoined = true
    }

    /// The exact end of audible frames, if the container states it: the last packet of MP4 is padded with silence.
    func end(rate: Int) -> Int64? {
        guard container.formatName.hasPrefix("mov"), let duration = container.streamDuration, hasExactTimes(rate: rate),
            let start = origin
        else { return nil }
        let (end, overflow) = start.addingReportingOverflow(duration)
        return overflow ? nil : position(of: end, rate: rate)
    }

    func time(of position: MediaTime) -> Int64? {
        let base = container.timeBase
        let scaled = Self.scale(
            position.nanoseconds, by: base.den, base.num * 1_000_000_000)
        guard let (time, overflow) = scaled?.addingReportingOverflow(origin ?? 0), !overflow else { return nil }
        return time
    }

    /// Rounded to the nearest; nil beyond 64 bits.
    static func scale(_ value: Int64, by factor: Int64, _ divisor: Int64) -> Int64? {
        guard divisor > 0, factor > 0 else { return nil }
        let product = value.magnitude.multipliedFullWidth(by: factor.magnitude)
        guard product.high < divisor.magnitude else { return nil }
        let (quotient, rest) = divisor.magnitude.dividingFullWidth(product)
        let rounded = quotient + (rest >= divisor.magnitude - rest ? 1 : 0)
        return Int64(exactly: rounded).map { value < 0 ? -$0 : $0 }
    }

    // MARK: Properties

    func info(format: PCMFormat) -> StreamInfo {
        var info = StreamInfo(
            container: ContainerKind.shortName(container.formatName), codec: ContainerKind.codec(container.codecName),
            format: format)
        info.bitRate = Int(clamping: min(max(0, container.bitRate), Int64(StreamInfo.bitRates.upperBound)))
        info.duration = duration
        info.isExact = info.duration != nil && !isUntimed && !container.isDurationEstimated
        info.tags = Dictionary(
            container.tags.compactMap { tag in ContainerKind.tags[tag.name].map { ($0, tag.value) } }
        ) { first, _ in first }
        info.chapters = chapters
        info.art = container.cover.map { EmbeddedArt(mime: $0.mime, offset: $0.offset, length: $0.length) }
        return info
    }

    private var duration: MediaTime? {
        // The container states that of the last part.
        if isJoined { return nil }
        if !isUntimed, let stated = container.duration {
            // FFmpeg counts Ogg Opus from time 0, which is earlier than the beginning of a part of a stream.
            let base = container.timeBase
            let start =
                isPaged && container.codecName == "opus"
                ? origin.flatMap { Self.scale($0, by: base.num * 1_000_000_000, base.den) }
                : nil
            return MediaTime(nanoseconds: stated - max(0, min(start ?? 0, stated)))
        }
        guard let rate = bytesPerSecond, let length = input.length else { return nil }
        return MediaTime(seconds: Double(length) / rate)
    }

    /// Average of the decoded part, or else the container's value.
    var bytesPerSecond: Double? {
        // Less than five seconds are not enough for an average.
        if isUntimed, let first = index.entries.first, let last = index.last, index.entries.count > 5 {
            return Double(last.key - first.key) / (last.time - first.time).seconds
        }
        return container.bitRate > 0 ? Double(container.bitRate) / 8 : nil
    }

    private var chapters: [Chapter] {
        // Vorbis comments store links of chapters separately from their names (wiki.xiph.org/Chapter_Extension).
        let links = Dictionary(container.tags.compactMap(Self.chapterLink)) { first, _ in first }
        let known = container.chapters.map {
            Chapter(start: MediaTime(nanoseconds: max(0, $0.start)), title: $0.title, link: links[$0.id])
        }
        // FFmpeg leaves times without hours as tags.
        let tags = Dictionary(container.tags.map { ($0.name, $0.value) }) { first, _ in first }
        let others = tags.compactMap { name, value -> Chapter? in
            guard name.hasPrefix("chapter"), let number = Int64(name.dropFirst(7)),
                let start = MediaTime(parsing: value)
            else { return nil }
            return Chapter(start: start, title: tags[name + "name"], link: links[number])
        }
        return others.isEmpty ? known : (known + others).sorted { $0.start < $1.start }
    }

    /// The number and the URL in a tag such as `CHAPTER002URL`.
    private static func chapterLink(_ tag: (name: String, value: String)) -> (Int64, String)? {
        guard tag.name.hasPrefix("chapter"), tag.name.hasSuffix("url") else { return nil }
        return Int64(tag.name.dropFirst(7).dropLast(3)).map { ($0, tag.value) }
    }

    private static let step = MediaTime(milliseconds: 1000)
    /// Every packet up to this time is recorded.
    private static let beginning = MediaTime(milliseconds: 2000)
    /// Up to this distance from the last entry, frames are decoded instead of estimating a place.
    private static let decodedDistance = MediaTime(milliseconds: 30_000)

    var index: FrameIndex { places.index }

    /// Reads the index of earlier sessions. `start` is the key of the first packet, `rate` its frames per second.
    func loadIndex(start: Int64, rate: Int) {
        record(.init(key: start, position: 0, rate: rate))
        guard let length = input.length else { return }
        let file = IndexedFile(kind: "\(container.formatName) \(container.codecName)", start: start, length: length)
        let first = index.entries.first
        places.load(file, from: input) { [self] last, entry in
            if isUntimed { return last == nil ? entry == first : entry.key < length }
            return isPlausible(entry)
        }
    }

    /// True if the container's times agree with an entry, within the tolerance for counted frames.
    func isPlausible(_ entry: FrameIndex.Entry) -> Bool {
        guard let stamped = position(of: entry.key, rate: entry.rate) else { return false }
        let (distance, overflow) = stamped.subtractingReportingOverflow(entry.position)
        return !overflow && distance.magnitude <= UInt64(entry.rate / 10)
    }

    func record(_ entry: FrameIndex.Entry) {
        guard let last = index.last else { return places.append(entry) }
        // At the beginning containers write times that differ after a seek, so more entries are needed.
        let isDue = entry.time >= last.time + Self.step || entry.time < Self.beginning && entry.time > last.time
        if isDue { return places.append(entry) }
        guard let known = index.entry(key: entry.key), known != entry else { return }
        // The index belongs to other bytes.
        places.removeEntries(from: index.number(before: known.time) ?? 0)
    }

    /// Discards an index that belongs to other bytes.
    func distrustIndex() {
        places.removeEntries(from: 1)
        places.use(nil)
    }

    /// The last entry before a time, if frames can be counted from there.
    func entry(before time: MediaTime) -> FrameIndex.Entry? {
        guard let number = index.number(before: time) else { return nil }
        let entry = index.entries[number]
        if number + 1 < index.entries.count { return entry }
        return time - entry.time <= Self.decodedDistance ? entry : nil
    }
}
