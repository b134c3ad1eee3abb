internal import Glibc

/// The filter's first half: bytes of any charset in, UTF-8 out; what already is UTF-8 is handed on where it lies.
struct Transcoder: ~Copyable {
    private enum Mode {
        /// The first bytes are being collected in `held`.
        case undecided
        /// Bytes are handed on; the second half judges them.
        case utf8
        /// ASCII so far; the first byte beyond it decides between UTF-8 and the charset announced.
        case doubtful(Charset)
        case converting
    }

    private let httpCharset: String?
    private var mode = Mode.undecided
    private var converter: Converter?
    /// Bytes that could not be read without those that follow.
    private var held = ByteBuffer(capacity: CharsetDetection.headBytes)
    /// What `held` and a block make together.
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
            joined.append(held.base, count: held.count)
            if block.count > 0 {
                joined.append(block.baseAddress!.assumingMemoryBound(to: UInt8.self), count: block.count)
            }
            held.removeAll()
            input = joined.bytes
        }
        if case .undecided = mode {
            guard let detection = CharsetDetection(head: input, httpCharset: httpCharset, isLast: isLast) else {
                return hold(input)
            }
            input = decide(detection, input, &log)
        }
        guard input.count > 0 || isLast else { return input }
        if case .doubtful(let charset) = mode {
            guard let settled = settle(charset, input, isLast: isLast, &log) else { return takeAllButHeld(input) }
            mode = settled
        }
        switch mode {
        case .undecided, .utf8, .doubtful: return input
        case .converting: return convert(input, isLast: isLast, &log)
        }
    }

    private mutating func hold(_ input: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        if input.count > 0 {
            held.append(input.baseAddress!.assumingMemoryBound(to: UInt8.self), count: input.count)
        }
        return UnsafeRawBufferPointer(start: nil, count: 0)
    }

    private func takeAllButHeld(_ input: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: input.dropLast(held.count))
    }

    private mutating func decide(
        _ detection: CharsetDetection, _ input: UnsafeRawBufferPointer, _ log: inout RepairLog
    ) -> UnsafeRawBufferPointer {
        for label in detection.unknownLabels {
            let shown = String(
                String.UnicodeScalarView(label.unicodeScalars.filter { $0.value > 0x20 && $0.value < 0x7F }))
            log.noteDocument("took the unknown charset \"\(shown)\" for UTF-8")
        }
        if detection.isDoubtful {
            mode = .doubtful(detection.charset)
        } else {
            mode = start(detection.charset, &log)
        }
        log.skip(columns: detection.markLength)
        return UnsafeRawBufferPointer(rebasing: input.dropFirst(detection.markLength))
    }

    private mutating func start(_ charset: Charset, _ log: inout RepairLog) -> Mode {
        switch charset {
        case .utf8: return .utf8
        case .windows1252:
            converter = Converter(from: "CP1252", unit: 1)
            log.widths = CharacterWidths(one: 1, two: 1, three: 1, four: 1)
        case .other(let name, let widths):
            converter = Converter(from: name, unit: widths.one)
            log.widths = widths
        }
        guard converter != nil else {
            log.widths = nil
            log.noteDocument("this system cannot read the document's charset")
            return .utf8
        }
        return .converting
    }

    /// Decides by the first bytes beyond ASCII; nil while they have not all come, with `held` what is kept back.
    private mutating func settle(
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

    private mutating func convert(
        _ input: UnsafeRawBufferPointer, isLast: Bool, _ log: inout RepairLog
    ) -> UnsafeRawBufferPointer {
        converted.removeAll()
        let rest = converter!.convert(input, into: &converted, isLast: isLast) {
            log.noteDocument("replaced bytes that mean nothing in the document's charset")
        }
        if rest < input.count {
            held.append(input.baseAddress!.assumingMemoryBound(to: UInt8.self) + rest, count: input.count - rest)
        }
        return converted.bytes
    }
}

/// iconv(3), from one charset to UTF-8.
struct Converter: ~Copyable {
    private let handle: iconv_t
    /// Bytes of the charset's smallest unit.
    private let unit: Int

    /// nil when the C library has no such charset.
    init?(from charset: String, unit: Int) {
        let handle = iconv_open("UTF-8", charset)
        // iconv_open(3) fails with (iconv_t) -1.
        guard let handle, handle != iconv_t(bitPattern: -1) else { return nil }
        self.handle = handle
        self.unit = unit
    }

    deinit { iconv_close(handle) }

    /// Appends the text of the bytes; what means nothing becomes U+FFFD, or Windows-1252 where that has a character.
    /// - Returns: how many bytes were read; a character may be cut off behind them.
    mutating func convert(
        _ input: UnsafeRawBufferPointer, into output: inout ByteBuffer, isLast: Bool, whenInvalid: () -> Void
    ) -> Int {
        guard let base = input.baseAddress else { return 0 }
        // iconv(3) takes a pointer to mutable bytes by an accident of its history and changes none.
        var next: UnsafeMutablePointer<CChar>? = UnsafeMutablePointer(
            mutating: base.assumingMemoryBound(to: CChar.self))
        var left = input.count
        while left > 0 {
            output.reserve(left * 2 + 16)
            var room = left * 2 + 16
            let size = room
            var target: UnsafeMutablePointer<CChar>? = UnsafeMutableRawPointer(output.end).assumingMemoryBound(
                to: CChar.self)
            let result = iconv(handle, &next, &left, &target, &room)
            output.grew(by: size - room)
            if result != -1 { break }
            switch errno {
            case E2BIG: continue
            case EINVAL where !isLast: return input.count - left
            default:
                whenInvalid()
                let byte = input[input.count - left]
                output.append(byte >= 0x80 ? Windows1252.scalar(of: byte) : "\u{FFFD}")
                let skipped = min(unit, left)
                next = next.map { $0 + skipped }
                left -= skipped
            }
        }
        return input.count - left
    }
}
