internal import MediaPorts
internal import MPEGAudio
internal import PodcastModel

/// MPEG frames between two entries of the index.
enum FrameGroup {
    /// The synthesis filter's ring has 16 slots: decoding that begins a multiple of 16 frames earlier or later adds in
    /// the same order, so its results are identical.
    static let size: Int64 = 16
}

extension MPEGDecoder {
    /// Reads the index of earlier sessions, once the first MPEG frame is known.
    func loadIndex(_ line: Timeline) {
        guard let input, let header, input.length != nil else { return }
        let file = IndexedFile(
            kind: "mpeg layer \(header.layer)", start: line.audioStart, length: input.length)
        let length = input.length ?? .max
        let smallest = FrameGroup.size * Timeline.smallestFrame
        places.load(file, from: input) { last, entry in
            guard let last else { return entry == line.firstFrame }
            guard entry.key < length, entry.key - last.key >= smallest else { return false }
            // Positions are converted where the rate changes.
            return entry.rate != last.rate
                || entry.position - last.position == FrameGroup.size * line.samplesPerFrame
                || entry.position == line.heardFrames
        }
    }

    /// Records the MPEG frame that was found, if it begins a group.
    /// - Parameter start: the frame's position.
    func record(_ start: Int64, _ format: PCMFormat) {
        guard number % FrameGroup.size == 0 else { return }
        record(
            .init(key: opened + reader.framePosition, position: start, rate: format.rate),
            group: Int(number / FrameGroup.size))
    }

    func record(_ entry: FrameIndex.Entry, group: Int) {
        if group < index.entries.count, index.entries[group] != entry { places.removeEntries(from: group, input) }
        if group == index.entries.count { places.append(entry, input) }
    }

    /// Called if the index led to a place without a frame: the index belongs to other bytes.
    func distrustIndex() throws(DecoderError) {
        places.removeEntries(from: 0, input)
        places.use(nil, input)
        lastSeek.place = .estimated
        _ = try goByEstimate(to: lastSeek.time)
    }
}

/// Runs calls of libmpg123. An error of libmpg123 becomes `DecoderError.library` with its message.
func callingLibrary<Answer>(_ body: () throws(MPEGAudioError) -> Answer) throws(DecoderError) -> Answer {
    do throws(MPEGAudioError) { return try body() } catch { throw .library("\(error)") }
}
