internal import MPEGAudio
internal import MediaPorts

/// Counts MPEG frames from an entry of the index on, without decoding them.
final class FrameCounter {
    enum Step {
        /// The frame at the requested offset is the next one.
        case reached
        /// No frame begins at the requested offset.
        case missed
        /// `advance` must be called again.
        case unfinished
    }

    private let reader: MPEGFrameReader
    private let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: MPEGFrameReader.feedSize, alignment: 64)
    private let opened: Int64
    private var fed: Int64
    private let rate: Int
    private let samplesPerFrame: Int64
    /// The last frame found: its number from the beginning, and its position.
    private(set) var number: Int64
    private(set) var position: Int64
    private var hasBegun = false

    /// - Parameter number: number of the MPEG frame at `start`.
    init(from start: FrameIndex.Entry, number: Int64, samplesPerFrame: Int64) throws(DecoderError) {
        do throws(MPEGAudioError) { reader = try MPEGFrameReader() } catch { throw .library("\(error)") }
        opened = start.key
        fed = start.key
        rate = start.rate
        self.number = number
        position = start.position
        self.samplesPerFrame = samplesPerFrame
    }

    deinit { piece.deallocate() }

    /// Counts up to the frame at an offset.
    /// - Parameters:
    ///   - count: bytes after which the call returns.
    ///   - note: receives entries of the index, with the number of their group.
    func advance(
        to end: Int64, in input: any DecoderInput, atMost count: Int64, _ note: (FrameIndex.Entry, Int) -> Void
    ) throws(DecoderError) -> Step {
        let limit = fed.addingReportingOverflow(count)
        let isLimited = !limit.overflow
        while true {
            switch Result(catching: { () throws(MPEGAudioError) in try reader.next() }) {
            case .failure: return .missed
            case .success(.needsBytes):
                guard !isLimited || fed < limit.partialValue, input.available(at: fed) > 0 else { return .unfinished }
                let count = try input.read(into: piece, at: fed)
                guard count > 0 else { return .missed }
                fed += Int64(count)
                do throws(MPEGAudioError) {
                    try reader.feed(UnsafeRawBufferPointer(rebasing: piece[..<count]))
                } catch {
                    throw .library("\(error)")
                }
            case .success(.frame), .success(.frameInNewFormat):
                guard Int64(reader.samplesPerFrame) == samplesPerFrame else { return .missed }
                let offset = opened + reader.framePosition
                if hasBegun {
                    number += 1
                    position += samplesPerFrame
                } else if offset != opened {
                    return .missed
                }
                hasBegun = true
                if offset > end { return .missed }
                if number % FrameGroup.size == 0 {
                    note(.init(key: offset, position: position, rate: rate), Int(number / FrameGroup.size))
                }
                if offset == end { return .reached }
            }
        }
    }
}
