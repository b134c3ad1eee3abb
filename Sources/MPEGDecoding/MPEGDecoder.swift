internal import Glibc
internal import MPEGAudio
public import MediaPorts
public import PodcastModel

/// MPEG-1, 2 and 2.5 audio, layers I to III, with what surrounds it in files.
///
/// Tags at the beginning are read and passed over; junk is searched for audio; the encoder's delay and padding are cut
/// where the Info frame tells them. Positions count what is heard. Seeking is exact wherever was decoded before, and
/// estimated elsewhere, exactly so for a constant bit rate.
public final class MPEGDecoder: Decoder {
    private let reader: MPEGFrameReader
    private var tags = TagReader()
    private var contents = TagContents()
    private var index = SeekIndex()
    private var timeline: Timeline?

    // Where the reader was opened, and the file's byte that it needs next.
    private var opened: Int64 = 0
    private var fed: Int64 = 0
    private var isLast = false
    private var length: Int64?
    private var head: [UInt8] = []
    private var tail: [UInt8] = []
    /// The file's byte after which junk is counted.
    private var lastSound: Int64 = 0
    private var faults = 0

    // The MPEG frame that comes next: its number from the beginning, and its place in what is heard.
    private var number: Int64 = 0
    private var position: Int64 = 0
    /// Whether `number` and `position` were counted from the beginning and not estimated.
    private var isExact = true
    /// Set after an estimated seek until the first MPEG frame tells where it is.
    private var isLanding = false
    private var hasFrame = false
    private var format: PCMFormat?
    /// What `position` counts: frames of so many in a second.
    private var rate = 0
    private var toldFormat: PCMFormat?
    private var header: MPEGFrameReader.Header?
    /// The encoder's padding, as frames of what would be heard.
    private var gap: Range<Int64>?
    private var gapIsAhead = true
    /// Frames before this one are decoded for the decoder's own state only.
    private var target: Int64?
    private var skipsDecoding = false
    private var pendingSeek: MediaTime?
    private var measured: MediaTime?

    /// A decoder at the beginning of a file.
    /// - Throws: `DecoderError.library` when libmpg123 has no memory.
    public init() throws(DecoderError) {
        do throws(MPEGAudioError) { reader = try MPEGFrameReader() } catch { throw .library("\(error)") }
    }

    // MARK: Bytes

    /// The file's byte that `feed` has to begin with; jumps over pictures in tags, and with seeks.
    public var wantedOffset: Int64 { tags.streamOffset == nil ? tags.wanted : fed }

    /// Without the length, durations and far seeks rely on what the Info frame says.
    public func setLength(_ length: Int64) {
        self.length = length
        tags.fileLength = length
        timeline?.fileLength = length
    }

    /// Takes bytes, best in pieces of 16 KiB.
    public func feed(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(DecoderError) {
        guard let start = tags.streamOffset else {
            tags.take(bytes, isLast: isLast)
            if let start = tags.streamOffset {
                contents = tags.contents
                try open(at: start)
                lastSound = start
            }
            return
        }
        if header == nil && fed == start + Int64(head.count) && head.count < Self.headLength {
            head += bytes.prefix(Self.headLength - head.count)
            if head.count >= 64 || isLast, let appearance = Appearance.of(head), appearance.isFinal {
                throw .notAudio(looksLike: appearance.name)
            }
        }
        keepTail(bytes)
        fed += Int64(bytes.count)
        self.isLast = isLast
        do throws(MPEGAudioError) { try reader.feed(bytes) } catch { throw .library("\(error)") }
    }

    private static let headLength = 2048

    private func keepTail(_ bytes: UnsafeRawBufferPointer) {
        guard let length, fed + Int64(bytes.count) > length - Int64(TailTags.longest) else { return }
        tail += bytes
        if tail.count > TailTags.longest { tail.removeFirst(tail.count - TailTags.longest) }
    }

    private func open(at offset: Int64) throws(DecoderError) {
        do throws(MPEGAudioError) { try reader.reopen() } catch { throw .library("\(error)") }
        opened = offset
        fed = offset
        isLast = false
        hasFrame = false
        tail = []
    }

    // MARK: Decoding

    /// Decodes whole MPEG frames while `output` has 9,216 bytes left for one.
    public func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep {
        guard tags.streamOffset != nil else { return .needsInput }
        var written = 0
        var start: Int64 = 0
        while output.count - written >= MPEGFrameReader.largestFrame {
            if !hasFrame, try !findFrame() {
                if written > 0 { break }
                return isLast ? try finish() : .needsInput
            }
            if try beginStream() { continue }
            guard let format else { return .needsInput }
            if toldFormat != format {
                if written > 0 { break }
                toldFormat = format
                return .formatChanged(format)
            }
            let part = UnsafeMutableRawBufferPointer(rebasing: output[written...])
            let (heard, isWhole) = decodeFrame(into: part, format)
            if !heard.isEmpty {
                if written == 0 { start = heard.lowerBound }
                written += heard.count * format.frameSize
            }
            // A run of frames has no gap inside.
            if !isWhole && written > 0 { break }
        }
        return .produced(bytes: written, frame: start)
    }

    /// Goes on to the next MPEG frame; false when there are no bytes for it.
    private func findFrame() throws(DecoderError) -> Bool {
        let step: MPEGFrameReader.Step
        do throws(MPEGAudioError) {
            step = try reader.next()
        } catch {
            return try passOver(error)
        }
        switch step {
        case .needsBytes:
            try checkForJunk()
            return false
        case .frameInNewFormat:
            try noteFormat()
        case .frame:
            break
        }
        hasFrame = true
        lastSound = opened + reader.framePosition
        if isLanding { land() }
        return true
    }

    /// The library could not make anything of a frame: begins again behind it.
    private func passOver(_ error: MPEGAudioError) throws(DecoderError) -> Bool {
        faults += 1
        guard faults < 1000 else { throw .library("\(error)") }
        let next = max(opened + reader.framePosition, opened) + 4
        if next < fed { try open(at: next) }
        return false
    }

    /// Bytes without audio after which a file is given up: at its beginning, and after something was heard.
    private static let mostJunk: Int64 = 1 << 20
    private static let mostJunkInside: Int64 = 16 << 20

    private func checkForJunk() throws(DecoderError) {
        let junk = fed - lastSound
        if header == nil && junk > Self.mostJunk { throw .notAudio(looksLike: Appearance.of(head)?.name) }
        if header != nil && junk > Self.mostJunkInside { isLast = true }
        // The library keeps bytes that claim to be one long tag: let them go.
        if fed - opened > Self.mostJunk && junk > Self.mostJunk { try open(at: fed) }
    }

    private func noteFormat() throws(DecoderError) {
        do throws(MPEGAudioError) {
            let found = try reader.format()
            let new = PCMFormat(rate: found.rate, channels: found.channels, type: .float32)
            format = new
            if rate == 0 { rate = new.rate }
            if rate != new.rate {
                // From here on time is counted in the new rate, and what the Info frame said was of another stream.
                position = MediaTime(frames: position, rate: rate).frames(rate: new.rate)
                target = target.map { MediaTime(frames: $0, rate: rate).frames(rate: new.rate) }
                rate = new.rate
                gapIsAhead = false
            }
        } catch {
            throw .library("\(error)")
        }
    }

    /// Looks at the first MPEG frame of all: it tells what the stream is, and may be an Info frame, which has no sound.
    /// - Returns: whether the frame is done with.
    private func beginStream() throws(DecoderError) -> Bool {
        guard header == nil, let format else { return false }
        do throws(MPEGAudioError) {
            let found = try reader.header()
            header = found
            let start = opened + reader.framePosition
            let spf = Int64(reader.samplesPerFrame)
            var line = Timeline(
                audioStart: start, infoStart: start, samplesPerFrame: spf, rate: format.rate,
                bytesPerSecond: Double(found.bitRate) / 8, fileLength: length)
            let info = try reader.withFrameBody {
                InfoHeader($0, isLowRate: found.isLowRate, channels: format.channels)
            }
            if let info, found.layer == 3 {
                let size = try reader.withFrameBody { Int64($0.count) + 4 }
                line.info = info
                line.audioStart = start + size
                if let delay = info.delay { line.skipped = Int64(delay) + Timeline.decoderDelay }
                position = -line.skipped
                if let heard = line.heardFrames, line.gapLength > 0 { gap = heard..<heard + line.gapLength }
                hasFrame = false
            }
            timeline = line
        } catch {
            throw .library("\(error)")
        }
        if let time = pendingSeek {
            pendingSeek = nil
            _ = try seek(to: time)
        }
        return !hasFrame
    }

    /// Decodes the frame at hand to the beginning of `output`.
    /// - Returns: which frames are to be heard, and whether that is the whole MPEG frame.
    private func decodeFrame(
        into output: UnsafeMutableRawBufferPointer, _ format: PCMFormat
    ) -> (heard: Range<Int64>, isWhole: Bool) {
        hasFrame = false
        let count = Int64(reader.samplesPerFrame)
        let start = position
        let whole = start..<start + count
        if isExact {
            index.note(
                frame: number, .init(offset: opened + reader.framePosition, position: start, rate: format.rate))
        }
        let group = number % SeekIndex.stride
        number += 1
        position += count
        var heard = whole.clamped(to: max(0, target ?? 0)..<Int64.max)
        if let gap, gapIsAhead, whole.upperBound > gap.lowerBound {
            heard = heard.clamped(to: Int64.min..<max(gap.lowerBound, start))
            if whole.upperBound >= gap.upperBound {
                // What follows the announced end, another file perhaps, is heard right after it.
                position = gap.lowerBound
                gapIsAhead = false
            }
        }
        if let target {
            // Long before the target nothing needs to be decoded; by whole groups, see SeekIndex.
            if group == 0 { skipsDecoding = whole.lowerBound + 3 * SeekIndex.stride * count < target }
            if skipsDecoding && heard.isEmpty { return (heard, false) }
            if whole.upperBound >= target { self.target = nil }
        }
        let expected = Int(count) * format.frameSize
        let produced = (try? reader.decode(into: output)) ?? 0
        // A frame that cannot be decoded is silent, and keeps its time.
        if produced < expected, let base = output.baseAddress { memset(base + produced, 0, expected - produced) }
        if heard.isEmpty { return (heard, false) }
        if heard.lowerBound > start, let base = output.baseAddress {
            let before = Int(heard.lowerBound - start) * format.frameSize
            memmove(base, base + before, heard.count * format.frameSize)
        }
        return (heard, heard.count == Int(count))
    }

    /// The last byte was decoded.
    private func finish() throws(DecoderError) -> DecodeStep {
        guard header != nil, let format, toldFormat != nil || !index.entries.isEmpty || !isExact else {
            throw .notAudio(looksLike: Appearance.of(head)?.name)
        }
        if toldFormat == nil {
            toldFormat = format
            return .formatChanged(format)
        }
        TailTags.read(tail, into: &contents)
        tail = []
        if isExact {
            let end = gapIsAhead ? min(position, gap?.lowerBound ?? position) : position
            measured = MediaTime(frames: max(0, end), rate: format.rate)
        }
        return .ended
    }

    // MARK: Seeking

    /// Beyond what was decoded: as far as this it is decoded through rather than guessed.
    private static let patience = MediaTime(milliseconds: 30_000)
    /// An estimated landing is so much early: the first MPEG frames lack what the ones before them left for them.
    private static let runUp = MediaTime(milliseconds: 600)

    /// Exact where an unbroken run of decoding has been, or ends at most 30 s before; by estimate elsewhere. Before the first
    /// MPEG frame is known it is put off until then.
    public func seek(to time: MediaTime) throws(DecoderError) -> Int64 {
        guard format != nil, var timeline else {
            pendingSeek = time
            return 0
        }
        var time = max(.zero, time)
        if let measured { time = min(time, measured) }
        skipsDecoding = false
        guard let place = index.last(before: time), isCovered(place, time) else {
            timeline.bytesPerSecond = averageRate ?? timeline.bytesPerSecond
            self.timeline = timeline
            let frame = time.frames(rate: timeline.rate)
            let early = max(.zero, time - Self.runUp).frames(rate: timeline.rate)
            try open(at: timeline.offset(ofFrame: early))
            lastSound = fed
            rate = timeline.rate
            isExact = false
            isLanding = true
            position = early
            target = frame
            gapIsAhead = true
            return frame
        }
        let entry = index.entries[place]
        let frame = time.frames(rate: entry.rate)
        let first = index.entries[max(0, place - 1)]
        try open(at: first.offset)
        lastSound = fed
        rate = first.rate
        number = Int64(max(0, place - 1)) * SeekIndex.stride
        position = first.position
        isExact = true
        isLanding = false
        gapIsAhead = first.rate == timeline.rate && gap.map { first.position < $0.lowerBound } ?? false
        target = MediaTime(frames: frame, rate: entry.rate).frames(rate: rate)
        return frame
    }

    /// Whether an entry leads to a time exactly: another follows it, or decoding through to it is short.
    private func isCovered(_ place: Int, _ time: MediaTime) -> Bool {
        if place + 1 < index.entries.count { return true }
        let entry = index.entries[place]
        return time - MediaTime(frames: entry.position, rate: entry.rate) <= Self.patience
    }

    private var averageRate: Double? {
        guard let first = index.entries.first, let last = index.entries.last, index.entries.count > 4 else {
            return nil
        }
        let seconds =
            MediaTime(frames: last.position, rate: last.rate).seconds - Double(first.position) / Double(first.rate)
        return Double(last.offset - first.offset) / max(0.001, seconds)
    }

    /// The first MPEG frame after an estimated seek: its place in the file tells its time.
    private func land() {
        isLanding = false
        guard let timeline else { return }
        let frame = timeline.frame(atOffset: opened + reader.framePosition)
        position = MediaTime(frames: max(0, frame), rate: timeline.rate).frames(rate: rate) + min(0, frame)
        number = 0
        gapIsAhead = gap.map { position < $0.lowerBound } ?? false
    }

    // MARK: Facts

    /// What the tags and the first MPEG frames say; the duration is measured once the end was decoded.
    public var info: StreamInfo? {
        guard let format, let header, var timeline else { return nil }
        timeline.bytesPerSecond = averageRate ?? timeline.bytesPerSecond
        let codec = "mp\(header.layer)"
        var info = StreamInfo(container: "mp3", codec: codec, format: toldFormat ?? format)
        info.duration = measured ?? timeline.duration
        info.isExact = measured != nil || timeline.isConsistent
        info.bitRate = bitRate(timeline)
        info.tags = contents.tags
        info.chapters = contents.chapters
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
