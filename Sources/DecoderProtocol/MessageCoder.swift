internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

protocol CodedMessage {
    /// A message of each kind; its place is the number of the kind, and a reader replaces its values.
    static var kinds: [Self] { get }
    /// The place in `kinds`.
    var kind: UInt8 { get }
    mutating func exchange(_ coder: inout MessageCoder) throws(SystemError)
}

extension CodedMessage {
    var bytes: [UInt8] {
        var coder = MessageCoder()
        var message = self
        var number = kind
        // A writer does not throw.
        try? coder.exchange(&number)
        try? message.exchange(&coder)
        return coder.bytes
    }

    init(reading bytes: UnsafeRawBufferPointer) throws(SystemError) {
        var coder = MessageCoder(reading: bytes)
        var number = UInt8(0)
        try coder.exchange(&number)
        guard Int(number) < Self.kinds.count else { throw MessageCoder.malformed }
        self = Self.kinds[Int(number)]
        try exchange(&coder)
        guard coder.isAtEnd else { throw MessageCoder.malformed }
    }
}

/// Writes or reads a message: the parts are named once, in order. A writer appends a value, a reader replaces it.
///
/// Numbers are in native byte order, strings are UTF-8 after their length. Every read is checked against the message's end.
struct MessageCoder {
    private(set) var bytes: [UInt8] = []
    /// The message that is read; nil in a writer.
    private let input: UnsafeRawBufferPointer?
    private var place = 0
    fileprivate static let malformed = SystemError(code: EPROTO, call: "read a message")

    init(reading input: UnsafeRawBufferPointer? = nil) { self.input = input }

    var isAtEnd: Bool { place == input?.count ?? 0 }

    mutating func exchange<Number: FixedWidthInteger>(_ number: inout Number) throws(SystemError) {
        guard let input else {
            withUnsafeBytes(of: number) { bytes.append(contentsOf: $0) }
            return
        }
        let size = MemoryLayout<Number>.size
        guard input.count - place >= size else { throw Self.malformed }
        number = input.loadUnaligned(fromByteOffset: place, as: Number.self)
        place += size
    }

    mutating func exchange(_ flag: inout Bool) throws(SystemError) {
        var number: UInt8 = flag ? 1 : 0
        try exchange(&number)
        flag = number == 1
    }

    mutating func exchange(_ time: inout MediaTime) throws(SystemError) {
        var nanoseconds = time.nanoseconds
        try exchange(&nanoseconds)
        time = MediaTime(nanoseconds: nanoseconds)
    }

    /// Text arrives without control characters, because it is shown on terminals.
    mutating func exchange(_ text: inout String) throws(SystemError) {
        let written = input == nil ? Array(MessageLimits.text(text).utf8) : []
        var count = UInt32(written.count)
        try exchange(&count)
        guard let input else { return bytes += written }
        guard count <= MessageLimits.longestText, input.count - place >= count else { throw Self.malformed }
        text = MessageLimits.text(String(utf8: input[place..<place + Int(count)]))
        place += Int(count)
    }

    /// - Parameter initial: replaced by a reader, if there is a value.
    mutating func exchange<Value>(
        _ value: inout Value?, _ initial: Value,
        _ body: (inout MessageCoder, inout Value) throws(SystemError) -> Void
    ) throws(SystemError) {
        var isPresent = value != nil
        try exchange(&isPresent)
        guard isPresent else { return value = nil }
        var part = value ?? initial
        try body(&self, &part)
        value = part
    }

    mutating func exchange(_ text: inout String?) throws(SystemError) {
        try exchange(&text, "") { (coder, text) throws(SystemError) in try coder.exchange(&text) }
    }

    mutating func exchange(_ time: inout MediaTime?) throws(SystemError) {
        try exchange(&time, .zero) { (coder, time) throws(SystemError) in try coder.exchange(&time) }
    }

    mutating func exchange(_ number: inout Int?) throws(SystemError) {
        try exchange(&number, 0) { (coder, number) throws(SystemError) in try coder.exchange(&number) }
    }

    /// - Parameter limit: bytes of the message up to which elements are written; the others are left out.
    mutating func exchange<Element>(
        _ list: inout [Element], _ initial: Element, limit: Int,
        _ body: (inout MessageCoder, inout Element) throws(SystemError) -> Void
    ) throws(SystemError) {
        let start = bytes.count
        var count: UInt32 = 0
        try exchange(&count)
        guard input == nil else {
            list = []
            for _ in 0..<count {
                var element = initial
                try body(&self, &element)
                list.append(element)
            }
            return
        }
        for var element in list {
            let before = bytes.count
            try body(&self, &element)
            guard bytes.count <= limit else {
                bytes.removeLast(bytes.count - before)
                break
            }
            count += 1
        }
        withUnsafeBytes(of: count) { bytes.replaceSubrange(start..<start + $0.count, with: $0) }
    }

    mutating func exchange(_ parameters: inout PlaybackParameters) throws(SystemError) {
        var speed = parameters.speed.hundredths
        try exchange(&speed)
        parameters.speed = PlaybackSpeed(hundredths: speed)
        try exchange(&parameters.hasVoiceBoost)
        try exchange(&parameters.isMono)
        try exchange(&parameters.measuresLoudness)
        try exchange(&parameters.loudness)
        try exchange(&parameters.measuredLoudness)
        try exchange(&parameters.silence, SilenceShortening()) { (coder, silence) throws(SystemError) in
            try coder.exchange(&silence.threshold)
            try coder.exchange(&silence.shortest)
            try coder.exchange(&silence.kept)
        }
        try exchange(&parameters.skips, .zero..<(.zero), limit: HostMessage.maximumLength) {
            (coder, skip) throws(SystemError) in
            var start = skip.lowerBound
            var end = skip.upperBound
            try coder.exchange(&start)
            try coder.exchange(&end)
            guard start <= end else { throw Self.malformed }
            skip = start..<end
        }
    }

    /// Exchanges tags and then chapters as far as they fit.
    mutating func exchange(_ info: inout StreamInfo) throws(SystemError) {
        try exchange(&info.container)
        try exchange(&info.codec)
        try exchange(&info.format.rate)
        try exchange(&info.format.channels)
        var type = info.format.type.rawValue
        try exchange(&type)
        guard let type = SampleType(rawValue: type) else { throw Self.malformed }
        info.format.type = type
        try exchange(&info.duration)
        try exchange(&info.isExact)
        try exchange(&info.bitRate)
        try exchange(&info.loudness)
        try exchange(&info.damage)
        try exchange(&info.art, EmbeddedArt(mime: "", offset: 0, length: 0)) { (coder, art) throws(SystemError) in
            try coder.exchange(&art.mime)
            try coder.exchange(&art.offset)
            try coder.exchange(&art.length)
            try coder.exchange(&art.isUnsynchronised)
        }
        // Tags get at most half of the message, so that long comments do not displace chapters.
        var tags = info.tags.sorted { Self.rank($0.key) < Self.rank($1.key) }.map { (name: $0.key, value: $0.value) }
        try exchange(&tags, ("", ""), limit: DecoderMessage.maximumLength / 2) { (coder, tag) throws(SystemError) in
            try coder.exchange(&tag.name)
            try coder.exchange(&tag.value)
        }
        info.tags = Dictionary(tags.map { ($0.name, $0.value) }) { first, _ in first }
        try exchange(&info.chapters, Chapter(), limit: DecoderMessage.maximumLength) {
            (coder, chapter) throws(SystemError) in
            try coder.exchange(&chapter.start)
            try coder.exchange(&chapter.end)
            try coder.exchange(&chapter.title)
            try coder.exchange(&chapter.link)
            try coder.exchange(&chapter.image)
            try coder.exchange(&chapter.isListed)
        }
    }

    /// Sorts tags that players show first.
    private static func rank(_ name: String) -> (Int, String) {
        (["title", "artist", "album"].firstIndex(of: name) ?? 3, name)
    }
}
