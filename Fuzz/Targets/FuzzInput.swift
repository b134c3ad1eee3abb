/// An input of libFuzzer. Values are taken from its front, so a change near its end does not affect earlier values.
struct FuzzInput {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    /// The next bytes as a number; missing bytes count as zero.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type = UInt8.self) -> Number {
        take(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// The next bytes, at most as many as there are.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let taken = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        return taken
    }

    /// The remaining bytes as text; invalid UTF-8 becomes replacement characters, as in the programs.
    var text: String { String(decoding: rest, as: UTF8.self) }

    /// The remaining bytes in pieces, as a network could deliver them: about thirty, so that a run stays short. The
    /// seed determines their ends, and libFuzzer varies it.
    ///
    /// - Parameter seed: 0 for single bytes, a multiple of eight for one piece.
    func pieces(_ seed: UInt8) -> [UnsafeRawBufferPointer] {
        var pieces: [UnsafeRawBufferPointer] = []
        var rest = rest
        var state = UInt32(seed)
        let longest = rest.count / 16 + 1
        while !rest.isEmpty {
            // The linear congruential generator of Numerical Recipes: fast, and the same for the same seed.
            state = state &* 1_664_525 &+ 1_013_904_223
            let size = seed == 0 ? 1 : seed % 8 == 0 ? rest.count : Int(state >> 16) % longest + 1
            pieces.append(UnsafeRawBufferPointer(rebasing: rest.prefix(size)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
        }
        return pieces
    }
}

/// Crashes unless the condition is true; libFuzzer records the crash as a finding.
func require(_ holds: @autoclosure () -> Bool, _ words: @autoclosure () -> String) {
    if !holds() { fatalError(words()) }
}
