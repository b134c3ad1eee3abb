internal import Glibc
internal import PodcastModel
public import MediaPorts

/// Decodes MPEG-1, 2 and 2.5 audio, layers I to III.
///
/// Tags at the beginning are read and skipped, junk is searched for audio, and the encoder's delay and padding are
/// removed if the Info frame contains them; positions do not count them. Seeks are exact within parts decoded before,
/// with a constant bit rate, and if the bytes up to the target are available; otherwise they are estimated.
@safe public final class MPEGDecoder: Decoder {
    let reader: MPEGFrameReader
    private var contents = TagContents()
    /// Places of MPEG frames. Decoding from such a place gives bit-identical samples; see `FrameGroup`.
    var places = PersistentIndex()
    var index: FrameIndex { places.index }
    var timeline: Timeline?

    var input: (any DecoderInput)?
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: MPEGFrameReader.feedSize, alignment: 64)
    // File offsets where the reader was opened, and of the next byte that the reader needs.
    var opened: Int64 = 0
    var fed: Int64 = 0
    private var isLast = false
    var length: Int64?
    /// The beginning of the stream.
    private var head: [UInt8] = []
    /// File offset from which junk is counted.
    var lastSound: Int64 = 0
    private var faults = 0
    /// File offset after the last MPEG frame, if the next one was not searched for elsewhere.
    private var frameEnd: Int64?

    // The next MPEG frame: its number from the beginning, and its position in PCM frames.
    var number: Int64 = 0
    var position: Int64 = 0
    /// True if `number` and `position` were counted from the beginning, not estimated.
    var isExact = true
    var hasFrame = false
    var format: PCMFormat?
    var rate = 0
    private var reportedFormat: PCMFormat?
    var header: MPEGFrameReader.Header?
    /// Position of the encoder's padding.
    var gap: Range<Int64>?
    var gapIsAhead = true
    var measured: MediaTime?
    private var damage: MediaTime?
    var lastSeek = Seek()

    /// - Throws: `DecoderError.library` if libmpg123 has no memory.
    public init() throws(DecoderError) { reader = try callingLibrary(try MPEGFrameReader()) }

    deinit { unsafe piece.deallocate() }

    /// Reads the tags, and MPEG frames up to the first one with audio.
    public func open(_ input: any DecoderInput) throws(DecoderError) -> StreamInfo {
        self.input = input
        let tags = try TagReader(input)
        contents = tags.contents
        try open(at: tags.streamOffset)
        lastSound = opened
        head = try input.bytes(Self.headLength, at: opened)
        if let appearance = Appearance.of(head), appearance.isFinal { throw notAudio }
        while true {
            if let info { return info }
            if hasFrame {
                try beginStream()
            } else if try !findFrame() {
                if isLast { throw notAudio }
                try readBytes()
            }
        }
    }

    private var notAudio: DecoderError { .notAudio(looksLike: Appearance.of(head)?.name) }

    // MARK: Bytes

    private func readBytes() throws(DecoderError) {
        guard let input else { throw .library("no file is open") }
        let count = unsafe try input.read(into: piece, at: fed)
        if let known = input.length, known != length {
            length = known
            timeline?.fileLength = known
        }
        fed += Int64(count)
        isLast = count == 0 || length.map { fed >= $0 } ?? false
        unsafe try callingLibrary(try reader.feed(UnsafeRawBufferPointer(rebasing: piece[..<count])))
    }

    private static let headLength = 2048

    func open(at offset: Int64) throws(DecoderError) {
        try callingLibrary(try reader.reopen())
        opened = offset
        fed = offset
        isLast = false
        hasFrame = false
        frameEnd = nil
    }

    // MARK: Decoding

    /// Decodes whole MPEG frames while `output` has 9,216 bytes left, enough for one.
    public func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep {
        var written = 0
        var start: Int64 = 0
        try correctEstimate()
        while output.count - written >= MPEGFrameReader.largestFrame {
            // Frames before a failure are played first; the next call fails again.
            if !hasFrame, try !(written > 0 ? (try? findFrame()) ?? false : findFrame()) {
                if written > 0 { break }
                if isLast {
                    guard try isFinished() else { continue }
                    return .ended
                }
                try stopCountingWithoutBytes()
                try readBytes()
                continue
            }
            guard let format else { throw .library("no file is open") }
            if reportedFormat != format {
                if written > 0 { break }
                reportedFormat = format
                return .formatChanged(format)
            }
            let part = unsafe UnsafeMutableRawBufferPointer(rebasing: output[written...])
            let (heard, isWhole) = unsafe decodeFrame(into: part, format)
            if !heard.isEmpty {
                if written == 0 { start = heard.lowerBound }
                written += heard.count * format.frameSize
            }
            // A run of frames must not contain gaps.
            if !isWhole && written > 0 { break }
        }
        return .produced(bytes: written, frame: start)
    }

    /// Returns false if bytes are missing.
    private func findFrame() throws(DecoderError) -> Bool {
        let step: MPEGFrameReader.Step
        do throws(MPEGAudioError) {
            step = try reader.next()
        } catch {
            return try skip(error)
        }
        switch step {
        case .needsBytes:
            try checkForJunk()
            return false
        case .frameInNewFormat: try readFormat()
        case .frame: break
        }
        lastSound = opened + reader.framePosition
        try judgeJunk(before: lastSound)
        hasFrame = true
        frameEnd = lastSound + ((try? reader.frameSize()) ?? 4)
        if let expected = lastSeek.expected.take(), lastSound != expected {
            try distrustIndex()
            return false
        }
        if lastSeek.isLanding { land() }
        return try !turnsToCounting()
    }

    /// In compressed audio of another format the library finds frames that sound like noise, at any rate. Other bytes are damage, unless
    /// they are a tag, or so few that an advertisement may have been inserted there.
    private func judgeJunk(before start: Int64) throws(DecoderError) {
        guard let frameEnd, frameEnd < start, let input else { return }
        // The bytes up to `fed` are available.
        let junk = try input.bytes(Int(min(Int64(Self.headLength), fed - frameEnd)), at: frameEnd)
        let place = MediaTime(frames: max(0, position), rate: max(1, rate))
        guard let appearance = Appearance.of(junk), appearance.isFinal else {
            let isTag = ["ID3", "TAG", "APETAGEX"].contains { junk.starts(with: $0.utf8) }
            if damage == nil, !isTag, start - frameEnd > Self.leastDamage { damage = place }
            return
        }
        throw .library("after \(place) it continues as \(appearance.name)")
    }

    /// Restarts after a frame that the library could not parse.
    private func skip(_ error: MPEGAudioError) throws(DecoderError) -> Bool {
        faults += 1
        guard faults < 1000 else { throw .library("\(error)") }
        let next = max(opened + reader.framePosition, opened) + 4
        if next < fed { try open(at: next) }
        return false
    }

    /// Bytes without audio after which decoding ends: at the beginning of the file, and later.
    private static let maximumJunk: Int64 = 1 << 20
    private static let maximumJunkInside: Int64 = 16 << 20
    /// In bytes: more than two of the longest frames.
    private static let leastDamage: Int64 = 4096

    private func checkForJunk() throws(DecoderError) {
        let junk = fed - lastSound
        if header == nil && junk > Self.maximumJunk { throw notAudio }
        if header != nil && junk > Self.maximumJunkInside { isLast = true }
        // Discard the bytes that the library collects for an apparent long tag.
        if fed - opened > Self.maximumJunk && junk > Self.maximumJunk {
            let end = frameEnd
            try open(at: fed)
            frameEnd = end
        }
    }

    private func readFormat() throws(DecoderError) {
        let new = try callingLibrary(try reader.format())
        format = new
        if rate == 0 { rate = new.rate }
        guard rate != new.rate else { return }
        // From here on positions count frames of the new rate, and the Info frame no longer applies.
        position = MediaTime(frames: position, rate: rate).frames(rate: new.rate)
        lastSeek.target = lastSeek.target.map { MediaTime(frames: $0, rate: rate).frames(rate: new.rate) }
        rate = new.rate
        gapIsAhead = false
    }

    /// Reads the stream's properties from the first MPEG frame, which may be an Info frame without audio.
    private func beginStream() throws(DecoderError) {
        guard let format else { return }
        let found = try callingLibrary(try reader.header())
        header = found
        let start = opened + reader.framePosition
        let spf = Int64(reader.samplesPerFrame)
        var line = Timeline(
            audioStart: start, infoStart: start, samplesPerFrame: spf, rate: format.rate,
            bytesPerSecond: Double(found.bitRate) / 8, fileLength: length)
        let body = try callingLibrary(try reader.frameBody())
        if found.layer == 3, let info = InfoHeader(body, isLowRate: found.isLowRate, channels: format.channels) {
            line.info = info
            line.audioStart = start + 4 + Int64(body.count)
            if let delay = info.delay { line.skipped = Int64(delay) + Timeline.decoderDelay }
            position = -line.skipped
            if let heard = line.heardFrames, line.gapLength > 0 { gap = heard..<heard + line.gapLength }
            hasFrame = false
        }
        timeline = line
        reportedFormat = format
        loadIndex(line)
    }

    /// Decodes the current MPEG frame to the beginning of `output`.
    /// - Returns: the positions of the frames to play, and true if these are all of the MPEG frame.
    private func decodeFrame(
        into output: UnsafeMutableRawBufferPointer, _ format: PCMFormat
    ) -> (heard: Range<Int64>, isWhole: Bool) {
        hasFrame = false
        let count = Int64(reader.samplesPerFrame)
        let start = position
        let whole = start..<start + count
        record(start)
        let group = number % FrameGroup.size
        number += 1
        position += count
        var heard = whole.clamped(to: max(0, lastSeek.target ?? 0)..<Int64.max)
        if let gap, gapIsAhead, whole.upperBound > gap.lowerBound {
            heard = heard.clamped(to: Int64.min..<max(gap.lowerBound, start))
            if whole.upperBound >= gap.upperBound {
                // Audio after the announced end, perhaps of another file, follows directly.
                position = gap.lowerBound
                gapIsAhead = false
            }
        }
        if let target = lastSeek.target {
            // Far before the target no frames need to be decoded; in whole groups, see `FrameGroup`.
            if group == 0 { lastSeek.skipsDecoding = whole.lowerBound + 3 * FrameGroup.size * count < target }
            if lastSeek.skipsDecoding && heard.isEmpty { return (heard, false) }
            // The estimate stays.
            if whole.upperBound >= target {
                lastSeek.target = nil
                lastSeek.place = .settled
            }
        }
        let expected = Int(count) * format.frameSize
        let produced = unsafe (try? reader.decode(into: output)) ?? 0
        // Silence replaces a frame that cannot be decoded.
        if produced < expected, let base = output.baseAddress { unsafe memset(base + produced, 0, expected - produced) }
        if heard.isEmpty { return (heard, false) }
        if heard.lowerBound > start, let base = output.baseAddress {
            let before = Int(heard.lowerBound - start) * format.frameSize
            unsafe memmove(base, base + before, heard.count * format.frameSize)
        }
        return (heard, heard.count == Int(count))
    }

    /// Called after the last byte was decoded. Returns false if decoding continues elsewhere.
    private func isFinished() throws(DecoderError) -> Bool {
        guard let format, let input, !index.entries.isEmpty || !isExact else { throw notAudio }
        // A wrong estimate may lead past the end although the target is within the file.
        if try countsInstead(upTo: fed) { return false }
        try correctEstimate(isAtEnd: true)
        places.store()
        let tail = max(opened, fed - Int64(TailTags.longest))
        TailTags.read(try input.bytes(Int(fed - tail), at: tail), into: &contents)
        if isExact {
            let end = gapIsAhead ? min(position, gap?.lowerBound ?? position) : position
            measured = MediaTime(frames: max(0, end), rate: format.rate)
        }
        return true
    }

    // MARK: Properties

    /// From the tags and the first MPEG frames; the duration is exact after the end was decoded.
    public var info: StreamInfo? {
        guard let format, let header, var timeline else { return nil }
        timeline.bytesPerSecond = averageRate ?? timeline.bytesPerSecond
        var info = StreamInfo(container: "mp3", codec: "mp\(header.layer)", format: reportedFormat ?? format)
        info.duration = measured ?? timeline.duration
        info.isExact = measured != nil || timeline.isConsistent
        info.bitRate = bitRate(timeline)
        info.damage = damage
        info.tags = contents.tags
        // With an estimated duration a chapter after the end may still be in the file.
        let end = info.isExact ? info.duration : nil
        info.chapters = end.map { end in contents.chapters.filter { $0.start < end } } ?? contents.chapters
        info.art = contents.art
        return info
    }

    private func bitRate(_ timeline: Timeline) -> Int {
        if let bytes = timeline.info?.byteCount, let frames = timeline.announcedFrames, frames > 0 {
            return Int(Double(bytes) * 8 * Double(timeline.rate) / Double(frames))
        }
        return Int(timeline.bytesPerSecond * 8)
    }
}
