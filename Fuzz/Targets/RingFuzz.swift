import DecoderProtocol
import MediaPorts
import PodcastModel
import SystemCalls

/// The daemon's end of the decoder ring on memory in which a hostile decoder writes what it likes, when it likes.
enum RingFuzz {
    private static let capacity = 4 * RingLayout.maximumChunk
    private static let descriptors = (0..<3).map { _ in orEnd { () throws(SystemError) in try EventDescriptor() } }
    private static let wakeUps = RingEvents(
        room: descriptors[0].raw, readiness: descriptors[1].raw, watch: descriptors[2].raw)

    private enum Step: UInt8, CaseIterable {
        case word, header, chunk, end, nextChunk, read, wait, want, replace, look
    }

    static func run(_ input: FuzzInput) {
        var input = input
        var ring = Ring(generation: UInt32(input.number(UInt8.self)))
        while !input.isEmpty {
            ring.take(Step.allCases[Int(input.number(UInt8.self)) % Step.allCases.count], &input)
        }
    }

    /// Without descriptors or memory for the ring there is nothing to try: the run ends.
    private static func orEnd<Value>(_ make: () throws(SystemError) -> Value) -> Value {
        do throws(SystemError) { return try make() } catch { fatalError("\(error)") }
    }

    private struct Ring {
        private var memory = orEnd { () throws(SystemError) in try RingLayout.makeMemory(capacity: capacity) }
        private let reader: RingReader
        private var generation: UInt32
        private var written: UInt64 = 0

        init(generation: UInt32) {
            self.generation = generation
            reader = RingReader(memory, wakeUps, generation: generation)
        }

        mutating func take(_ step: Step, _ input: inout FuzzInput) {
            switch step {
            case .word:
                let place = Int(input.number(UInt16.self)) % (RingLayout.prefix / 8) * 8
                memory.store64(place, input.number(UInt64.self))
            case .header: write(Array(input.take(40)), stride: Int(input.number(UInt16.self)) * RingLayout.grain)
            case .chunk: writeChunk(kind: 0, count: Int(input.number(UInt16.self)), &input)
            case .end: writeChunk(kind: 1, count: 0, &input)
            case .nextChunk: checkNext()
            case .read: read(Int(input.number(UInt16.self)))
            case .wait: _ = reader.prepareToWait()
            case .want:
                generation = UInt32(input.number(UInt8.self))
                reader.setWantedGeneration(generation)
            case .replace:
                memory = orEnd { () throws(SystemError) in try RingLayout.makeMemory(capacity: capacity) }
                written = 0
                _ = reader.replace(with: memory)
            case .look: look()
            }
        }

        /// A chunk that may be right, so that reading gets past the header.
        private mutating func writeChunk(kind: UInt32, count: Int, _ input: inout FuzzInput) {
            let choice = input.number(UInt8.self)
            let channels = UInt32(choice % 8) + 1
            let type = UInt32(choice >> 3) % 4
            let frame = Int(channels) * (SampleType(rawValue: type)?.size ?? 1)
            let bytes = count / frame * frame
            let start = UInt64(input.number(UInt32.self))
            let words: [UInt32] = [kind, generation, 44_100, channels, type, UInt32(bytes)]
            let times = [start, start + UInt64(input.number(UInt16.self))]
            let header = words.flatMap(Self.bytes) + times.flatMap(Self.bytes)
            memory.store64(88, UInt64(generation))
            memory.store64(96, UInt64(input.number(UInt32.self)))
            write(header, stride: (RingLayout.grain + bytes + 63) / 64 * 64)
        }

        private static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
            withUnsafeBytes(of: number.littleEndian, Array.init)
        }

        private mutating func write(_ header: [UInt8], stride: Int) {
            let place = memory.prefix + Int(written % UInt64(memory.capacity))
            (memory.base + place).copyMemory(from: header, byteCount: header.count)
            written &+= UInt64(stride)
            memory.store64(64, written)
        }

        private func checkNext() {
            guard let chunk = reader.nextChunk() else { return }
            require(chunk.generation == generation, "a chunk of another generation")
            require(chunk.byteCount >= 0 && chunk.byteCount < RingLayout.maximumChunk, "\(chunk.byteCount) bytes")
            require(chunk.byteCount % chunk.format.frameSize == 0, "a frame is cut")
            require(chunk.mediaStart >= 0 && chunk.mediaEnd >= chunk.mediaStart, "time runs back")
        }

        private func read(_ size: Int) {
            checkNext()
            withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
                let count = reader.read(into: buffer)
                require(count >= 0 && count <= size, "\(count) bytes read into \(size)")
            }
        }

        private func look() {
            require((0...3600).contains(reader.bufferedSeconds), "\(reader.bufferedSeconds) s are buffered")
            _ = (reader.isFilled, reader.isFaulted)
            let monitor = RingMonitor(memory)
            require((monitor.inputOffset ?? 0) >= 0, "a negative place in the source")
            require((monitor.extent?.lastTime.nanoseconds ?? 0) >= 0, "a negative time")
            _ = (monitor.progress, monitor.waitReason, monitor.isLow)
        }
    }
}
