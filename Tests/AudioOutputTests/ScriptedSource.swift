import MachineSupport
import MediaPorts
import SystemCalls

/// A PCM source whose chunks a test puts in. Each frame's first sample is a number that tells where it belongs.
final class ScriptedSource: PCMSource {
    private struct State {
        var chunks: [(chunk: PCMChunk, bytes: [UInt8])] = []
        var isWaiting = false
        var hasEnd = false
        var isFull = false
    }

    private let state = Monitor(State())
    private let readiness: EventDescriptor

    init() throws {
        readiness = try EventDescriptor()
    }

    /// Puts frames in, numbered from `start`; one chunk for each thousand frames.
    func put(
        _ frames: Range<Int64>, generation: UInt32 = 1, rate: Int = 8000, channels: Int = 1,
        mediaStart: Int64? = nil, speed: Int64 = 1
    ) {
        let format = PCMFormat(rate: rate, channels: channels, type: .int32)
        var next = frames.lowerBound
        while next < frames.upperBound {
            let end = min(frames.upperBound, next + 1000)
            let media = (mediaStart ?? frames.lowerBound) + (next - frames.lowerBound) * speed
            let chunk = PCMChunk(
                kind: .frames, generation: generation, format: format, mediaStart: media,
                mediaEnd: media + (end - next) * speed, byteCount: Int(end - next) * format.frameSize)
            put(chunk, bytes: Self.bytes(next..<end, channels: channels))
            next = end
        }
    }

    /// Puts frames of one level in.
    func put(level: Int32, frames: Int, generation: UInt32) {
        let bytes = (0..<frames).flatMap { _ in withUnsafeBytes(of: level) { Array($0) } }
        let chunk = PCMChunk(
            kind: .frames, generation: generation, format: PCMFormat(rate: 8000, channels: 1, type: .int32),
            mediaStart: 0, mediaEnd: Int64(frames), byteCount: bytes.count)
        put(chunk, bytes: bytes)
    }

    /// Puts the end in.
    func putEnd(generation: UInt32 = 1) {
        let chunk = PCMChunk(
            kind: .end, generation: generation, format: PCMFormat(rate: 8000, channels: 1, type: .int32),
            mediaStart: 0, mediaEnd: 0, byteCount: 0)
        put(chunk, bytes: [])
    }

    func put(_ chunk: PCMChunk, bytes: [UInt8]) {
        let rings = state.update { state in
            state.chunks.append((chunk, bytes))
            if chunk.kind == .end { state.hasEnd = true }
            defer { state.isWaiting = false }
            return state.isWaiting
        }
        if rings { readiness.signal() }
    }

    /// Makes `isFilled` true, as if the ring were full.
    func fill() { state.update { $0.isFull = true } }

    /// Forgets everything, as a seek does.
    func clear() {
        state.update { state in
            state.chunks = []
            state.hasEnd = false
        }
    }

    /// Unread frames.
    var unread: Int {
        state.update { state in state.chunks.reduce(0) { $0 + $1.chunk.byteCount / $1.chunk.format.frameSize } }
    }

    func nextChunk() -> PCMChunk? { state.update { $0.chunks.first?.chunk } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.update { state in
            guard var (chunk, bytes) = state.chunks.first else { return 0 }
            let frameSize = chunk.format.frameSize
            let count = min(bytes.count, buffer.count / frameSize * frameSize)
            buffer.copyBytes(from: bytes.prefix(count))
            if count == bytes.count {
                state.chunks.removeFirst()
            } else {
                let media = chunk.mediaEnd - chunk.mediaStart
                chunk.mediaStart += media * Int64(count) / Int64(bytes.count)
                bytes.removeFirst(count)
                chunk.byteCount = bytes.count
                state.chunks[0] = (chunk, bytes)
            }
            return count
        }
    }

    var readinessDescriptor: Int32 { readiness.raw }

    func prepareToWait() -> Bool {
        readiness.clear()
        return state.update { state in
            state.isWaiting = state.chunks.isEmpty
            return state.isWaiting
        }
    }

    var bufferedSeconds: Double {
        state.update { state in
            state.chunks.reduce(0) {
                $0 + Double($1.chunk.byteCount / $1.chunk.format.frameSize) / Double($1.chunk.format.rate)
            }
        }
    }

    var isFilled: Bool { state.update { $0.hasEnd || $0.isFull } }

    private static func bytes(_ frames: Range<Int64>, channels: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames.count * channels * 4)
        for frame in frames {
            for _ in 0..<channels { withUnsafeBytes(of: Int32(frame)) { bytes.append(contentsOf: $0) } }
        }
        return bytes
    }
}

/// The numbers of frames written as 32-bit samples of one channel.
func numbers(_ bytes: [UInt8]) -> [Int32] {
    stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { offset in
        bytes[offset..<(offset + 4)].withUnsafeBytes { $0.loadUnaligned(as: Int32.self) }
    }
}

/// Whether two long runs are the same. `#expect` would work out and print their difference for minutes; this names the
/// first place.
func areSame<Element: Equatable>(_ left: [Element], _ right: [Element]) -> Bool {
    if left == right { return true }
    let place = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    print("\(left.count) and \(right.count) elements differ from \(place ?? min(left.count, right.count)) on")
    return false
}
