internal import SystemCalls

/// The filter's first half: bytes of any charset in, UTF-8 out. UTF-8 is passed on without a copy.
struct Transcoder: ~Copyable {
    private enum Mode {
        /// The first bytes are being collected in `held`.
        case undecided
        /// Bytes are passed on; the second half checks them.
        case utf8
        /// Only ASCII so far; the first non-ASCII byte decides between UTF-8 and the announced charset.
        case doubtful(Charset)
        case converting
    }

    private let httpCharset: String?
    private var mode = Mode.undecided
    private var converter: CharacterConverter?
    /// Bytes of the charset's smallest unit.
    private var unit = 1
    /// Bytes that can only be decoded with the following bytes.
    private var held = ByteBuffer(capacity: CharsetDetection.headBytes)
    /// `held` and a block together.
    private var joined = ByteBuffer(capacity: 0)
    private var converted = ByteBuffer(capacity: 0)

    init(httpCharset: String?) { self.httpCharset = httpCharset }

    /// The UTF-8 text of the next bytes, valid until the next call.
    mutating func decode(
        _ block: UnsafeRawBufferPointer, isLast: Bool, log: inout RepairLog
    ) -> UnsafeRawBufferPointer {
        var input = block
        if !held.isEmpty {
            joined.removeAll()
            joined.append(held.bytes)
            joined.append(block)
            held.removeAll()
            input = joined.bytes
        }
        if case .undecided = mode {
            guard let detection = CharsetDetection(head: input, httpCharset: httpCharset, isLast: isLast) else {
                held.append(input)
                return UnsafeRawBufferPointer(start: nil, count: 0)
            }
            input = decide(detection, input, &log)
        }
        guard input.count > 0 || isLast else { return input }
        if case .doubtful(let charset) = mode {
            guard let decided = decideCharset(charset, input, isLast: isLast, &log) else {
                return UnsafeRawBufferPointer(rebasing: input.dropLast(held.count))
            }
            mode = decided
        }
        switch mode {
        case .undecided, .utf8, .doubtful: return input
        case .converting: return convert(input, isLast: isLast, &log)
        }
    }

    private mutating func decide(
        _ detection: CharsetDetection, _ input: UnsafeRawBufferPointer, _ log: inout RepairLog
    ) -> UnsafeRawBufferPointer {
        for label in detection.unknownLabels {
            log.addOfDocument("took the unknown charset \"\(label.visibleASCII)\" for UTF-8")
        }
        mode = detection.isDoubtful ? .doubtful(detection.charset) : start(detection.charset, &log)
        log.skip(columns: detection.markLength)
        return UnsafeRawBufferPointer(rebasing: input.dropFirst(detection.markLength))
    }

    private mutating func start(_ charset: Charset, _ log: inout RepairLog) -> Mode {
        if charset == .utf8 { return .utf8 }
        converter = CharacterConverter(from: charset.name)
        unit = charset.unit
        guard converter != nil else {
            log.addOfDocument("this system cannot read the document's charset")
            return .utf8
        }
        return .converting
    }

    /// Decides by the first non-ASCII character; nil while it is incomplete, with its bytes in `held`.
    private mutating func decideCharset(
        _ charset: Charset, _ input: UnsafeRawBufferPointer, isLast: Bool, _ log: inout RepairLog
    ) -> Mode? {
        guard let base = input.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return nil }
        let end = base + input.count
        let place = nextBeyondASCII(base, end)
        guard place < end else { return nil }
        switch decodeCharacter(place, end) {
        case .valid, .forbidden: return .utf8
        case .incomplete where !isLast:
            held.append(place, count: end - place)
            return nil
        case .invalid, .incomplete: return start(charset, &log)
        }
    }

    /// Invalid bytes become U+FFFD, or their character in Windows-1252. The input may end within a character.
    private mutating func convert(
        _ input: UnsafeRawBufferPointer, isLast: Bool, _ log: inout RepairLog
    ) -> UnsafeRawBufferPointer {
        converted.removeAll()
        var place = 0
        reading: while place < input.count {
            let size = (input.count - place) * 2 + 16
            converted.reserve(size)
            let step = converter!.convert(
                UnsafeRawBufferPointer(rebasing: input[place...]),
                into: UnsafeMutableRawBufferPointer(start: converted.end, count: size))
            converted.grew(by: step.written)
            place += step.read
            switch step.stop {
            case .outputFull: continue
            case .atEnd: break reading
            case .incomplete where !isLast: break reading
            case .incomplete, .invalid:
                log.addOfDocument("replaced bytes that are invalid in the document's charset")
                let byte = input[place]
                converted.append(scalar: byte >= 0x80 ? Windows1252.scalar(of: byte) : "\u{FFFD}")
                place = min(place + unit, input.count)
            }
        }
        held.append(UnsafeRawBufferPointer(rebasing: input[place...]))
        return converted.bytes
    }
}
