internal import PodcastModel
public import MediaPorts

/// Decodes containers and codecs of FFmpeg's libraries to float frames.
///
/// Positions come from the container's times, and between blocks from counting, because many containers round times. In formats
/// without times frames are counted from the beginning, and places that were not decoded yet are estimated.
public final class AVDecoder: Decoder {
    /// Position of the next block.
    enum Placement {
        /// At this frame, after the last block.
        case following(Int64)
        /// At the block's time, after a seek; at this frame if the block has no time.
        case landing(Int64)

        var frame: Int64 {
            switch self {
            case .following(let frame), .landing(let frame): frame
            }
        }
    }

    /// What the container can still deliver.
    enum Supply {
        case packets
        /// All packets were sent to the codec.
        case drained
        /// A read was interrupted within a packet: the container must seek before it continues.
        case interrupted
    }

    var file: OpenFile?
    var placement = Placement.following(0)
    var supply = Supply.packets
    /// Frames before this one are not played.
    var target: Int64 = 0
    private var block = DecodedBlock()
    private(set) var format = PCMFormat(rate: 0, channels: 0, type: .float32)
    private var isReported = false
    enum Certainty {
        /// Counted from the beginning, or from an entry of the index.
        case counted
        /// The container's times are exact to the frame.
        case timestamped
        /// Times are rounded, or the place in the file was estimated.
        case estimated
    }
    var certainty = Certainty.counted
    /// File offset of the packet that a seek by the index must find.
    var expectedOffset: Int64?
    /// File offset and position of the last sent packet, in formats without times.
    private var lastPacket: (offset: Int64, position: Int64)?
    private var correction: ADTSCounter?
    private var measured: MediaTime?
    /// True after the first seek of the session; see `begin(at:)`.
    var hasSought = false

    public init() { FFmpegLibrary.prepareForSandbox() }

    // MARK: Opening

    public func open(_ input: any DecoderInput) throws(DecoderError) -> StreamInfo {
        let file = try OpenFile(input)
        self.file = file
        placement = .landing(0)
        supply = .packets
        guard try nextBlock(file) else { throw .notAudio(looksLike: nil) }
        if let start = file.start { file.loadIndex(start: start, rate: format.rate) }
        isReported = true
        guard let info else { throw .notAudio(looksLike: nil) }
        return info
    }

    // MARK: Decoding

    public func decode(into output: UnsafeMutableRawBufferPointer) throws(DecoderError) -> DecodeStep {
        guard let file else { throw .library("no file is open") }
        if case .interrupted = supply { _ = try seek(to: MediaTime(frames: nextFrame, rate: format.rate)) }
        try correctEstimate(file)
        var start: Int64 = 0
        var written = 0
        while written + format.frameSize <= output.count || !isReported {
            if block.isEmpty {
                let before = format
                do {
                    guard try nextBlock(file) else {
                        if written > 0 { break }
                        return try ended()
                    }
                } catch {
                    // Return the frames decoded before; if the error persists, the next call throws it.
                    if written > 0 { break }
                    if error != .interrupted { try refuseJoinedFile() }
                    throw error
                }
                if format != before { isReported = false }
            }
            if !isReported {
                if written > 0 { break }
                isReported = true
                return .formatChanged(format)
            }
            if written == 0 {
                start = block.start
            } else if block.start != start + Int64(written / format.frameSize) {
                // A run of frames must not contain gaps.
                break
            }
            unsafe written += block.take(
                into: UnsafeMutableRawBufferPointer(rebasing: output[written...]), format.frameSize)
        }
        return .produced(bytes: written, frame: start)
    }

    /// Throws a specific error if the last packet belongs to an MP3 file, or an MP3 file follows it.
    private func refuseJoinedFile() throws(DecoderError) {
        guard let lastPacket, let file, file.container.formatName == "aac" else { return }
        var isMP3 = try JoinedFile.isMP3(at: lastPacket.offset, in: file.input)
        if !isMP3 { isMP3 = try JoinedFile.isMP3(afterPacketAt: lastPacket.offset, in: file.input) }
        guard isMP3 else { return }
        throw .library("after \(MediaTime(frames: nextFrame, rate: max(1, format.rate))) it continues as MP3")
    }

    private func ended() throws(DecoderError) -> DecodeStep {
        file?.places.store()
        try refuseJoinedFile()
        // After a seek without a frame the placement is the target, which says nothing about the length of the file.
        guard case .following(var end) = placement else { return .ended }
        if let file, let stated = file.end(rate: format.rate), end > stated,
            end - stated < file.samplesPerPacket ?? 0
        {
            end = stated
        }
        if certainty != .estimated { measured = MediaTime(frames: max(0, end), rate: max(1, format.rate)) }
        return .ended
    }

    private var nextFrame: Int64 { block.isEmpty ? max(placement.frame, target) : block.start }

    /// Decodes until `block` holds frames to play. Returns false at the end of the file.
    private func nextBlock(_ file: OpenFile) throws(DecoderError) -> Bool {
        while true {
            switch try file.call(try file.codec.receive()) {
            case .end: return false
            case .needsPacket: try supplyPacket(file)
            case .block(let found):
                guard found.count > 0, PCMFormat.rates.contains(found.rate),
                    PCMFormat.channelCounts.contains(found.channels)
                else { continue }
                let new = PCMFormat(rate: found.rate, channels: found.channels, type: .float32)
                if new.rate != format.rate, format.rate > 0 { changeRate(to: new.rate) }
                format = new
                file.samplesPerPacket = Int64(found.count)
                let frame = place(found, file)
                placement = .following(frame + Int64(found.count))
                if let time = found.time, !file.isUntimed, !file.isJoined, certainty == .counted {
                    file.record(.init(key: time, position: frame, rate: found.rate))
                }
                var end = file.end(rate: found.rate) ?? .max
                // If the stated duration is too short, cut off at most the rest of one packet.
                if frame >= end { end = .max }
                let heard = (frame..<frame + Int64(found.count)).clamped(to: target..<max(target, end))
                if heard.isEmpty { continue }
                try block.fill(heard, skipping: Int(heard.lowerBound - frame), of: found, file)
                if !block.isEmpty { return true }
            }
        }
    }

    private func supplyPacket(_ file: OpenFile) throws(DecoderError) {
        if case .drained = supply { return file.codec.finish() }
        do {
            guard try file.call(try file.container.readPacket()) else {
                supply = .drained
                return file.codec.finish()
            }
            try recordPacket(file)
            try file.sendPacket()
            // FFmpeg reads the first MP3 frame as a packet.
            if file.faults > 0 { try refuseJoinedFile() }
        } catch .interrupted {
            supply = .interrupted
            throw .interrupted
        }
    }

    /// Records the last read packet, in a format without times.
    private func recordPacket(_ file: OpenFile) throws(DecoderError) {
        guard file.isUntimed, let offset = file.container.packetOffset else { return }
        if let expected = expectedOffset.take(), offset != expected {
            file.distrustIndex()
            // The next call seeks again.
            throw .interrupted
        }
        let position = placement.frame
        file.firstOffset = file.firstOffset ?? offset
        lastPacket = (offset, position)
        guard format.rate > 0 else { return }
        let entry = FrameIndex.Entry(key: offset, position: position, rate: format.rate)
        switch (certainty, placement) {
        case (.counted, _): file.record(entry)
        case (.estimated, .landing): file.places.use(EstimatedPlaces(landing: entry))
        case (.estimated, .following): file.places.moveEstimate(to: entry)
        case (.timestamped, _): break
        }
    }

    /// Replaces an estimated position by the counted one, once all bytes before it are available.
    private func correctEstimate(_ file: OpenFile) throws(DecoderError) {
        guard file.isUntimed, certainty == .estimated, case .following(let frame) = placement, frame > target,
            let lastPacket
        else { return }
        guard let counter = correction ?? ADTSCounter(file, until: lastPacket.offset) else { return }
        correction = counter
        guard let position = try counter.position(ofPacketAt: lastPacket.offset) else { return }
        correction = nil
        certainty = .counted
        file.places.use(nil)
        let error = position - lastPacket.position
        placement = .following(frame + error)
        block.move(by: error)
    }

    /// From here on positions count frames of the new rate.
    private func changeRate(to rate: Int) {
        func converted(_ frame: Int64) -> Int64 { MediaTime(frames: frame, rate: format.rate).frames(rate: rate) }
        target = converted(target)
        placement =
            switch placement {
            case .following(let frame): .following(converted(frame))
            case .landing(let frame): .landing(converted(frame))
            }
    }

    private func place(_ found: AudioCodec.Block, _ file: OpenFile) -> Int64 {
        let stamped = file.isUntimed ? nil : found.time.flatMap { file.position(of: $0, rate: found.rate) }
        if let time = found.time, !file.isUntimed, certainty != .counted, let entry = file.index.entry(key: time),
            entry.rate == found.rate, file.isPlausible(entry)
        {
            certainty = .counted
            return entry.position
        }
        switch placement {
        case .following(let counted):
            // Containers round times, some to milliseconds: only a larger step is a gap of the file.
            guard let stamped, abs(stamped - counted) > Int64(found.rate / 10) else { return counted }
            if file.isPaged, stamped < counted, let time = found.time {
                file.beginNext(at: counted, time: time, rate: found.rate)
                return counted
            }
            return stamped
        case .landing(let estimate): return stamped ?? estimate
        }
    }

    // MARK: Properties

    /// From the container's header. The duration is exact if the container states it, and after the end was decoded.
    public var info: StreamInfo? {
        guard let file, format.rate > 0 else { return nil }
        var info = file.info(format: format)
        if let measured {
            info.duration = measured
            info.isExact = true
        }
        return info
    }

    /// Discards decoded frames, before decoding continues elsewhere.
    func restart(at placement: Placement, target: Int64, _ file: OpenFile) {
        file.codec.flush()
        block.removeAll()
        self.placement = placement
        self.target = target
        supply = .packets
        lastPacket = nil
        correction = nil
    }
}
