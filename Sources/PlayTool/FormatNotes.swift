internal import MediaPorts
internal import Synchronization

/// Passes frames to a sink, and records each format and its number of frames.
final class FormatNotes: PCMSource {
    /// A run of frames of one format.
    struct Run: Equatable {
        var format: PCMFormat
        var frames: Int
    }

    private let source: any PCMSource
    /// The sink thread takes the lock only when the format changes.
    private let earlier = Mutex<[Run]>([])
    private let current = Mutex<PCMFormat?>(nil)
    private let currentWord = Atomic<Int>(0)
    private let frames = Atomic<Int>(0)
    private let frameSize = Atomic<Int>(1)

    init(_ source: any PCMSource) { self.source = source }

    /// The runs so far, in order.
    var runs: [Run] {
        let last = current.withLock { $0 }
        return earlier.withLock { $0 } + (last.map { [Run(format: $0, frames: frames.load(ordering: .relaxed))] } ?? [])
    }

    func nextChunk() -> PCMChunk? {
        guard let chunk = source.nextChunk() else { return nil }
        if chunk.kind == .frames { note(chunk.format) }
        return chunk
    }

    private func note(_ format: PCMFormat) {
        let word = format.rate << 8 | format.channels << 4 | Int(format.type.rawValue)
        guard currentWord.exchange(word, ordering: .relaxed) != word else { return }
        let last = current.withLock { current in
            defer { current = format }
            return current
        }
        let count = frames.exchange(0, ordering: .relaxed)
        frameSize.store(format.frameSize, ordering: .relaxed)
        if let last { earlier.withLock { $0.append(Run(format: last, frames: count)) } }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = source.read(into: buffer)
        frames.add(count / frameSize.load(ordering: .relaxed), ordering: .relaxed)
        return count
    }

    var readinessDescriptor: Int32 { source.readinessDescriptor }
    func prepareToWait() -> Bool { source.prepareToWait() }
    var bufferedSeconds: Double { source.bufferedSeconds }
    var isComplete: Bool { source.isComplete }
}
