/// One input of libFuzzer: taken from the front, so that a change near its end leaves what came before as it was.
struct FuzzInput {
    private(set) var rest: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

    var isEmpty: Bool { rest.isEmpty }

    /// The next bytes as a number; what is missing counts as zero.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type = UInt8.self) -> Number {
        take(MemoryLayout<Number>.size).reversed().reduce(0) { $0 << 8 | Number($1) }
    }

    /// The next bytes, as many as there are.
    mutating func take(_ count: Int) -> UnsafeRawBufferPointer {
        let taken = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        return taken
    }

    /// What is left as text; bytes that are none come out as replacement characters, as everywhere in the programs.
    var text: String { String(decoding: rest, as: UTF8.self) }

    /// What is left in pieces, as a network might deliver it: some thirty, so that a run stays short. Where they end is for
    /// the seed to say, and for the fuzzer to try.
    ///
    /// - Parameter seed: which pieces: 0 for one byte at a time, a multiple of eight for all at once.
    func pieces(_ seed: UInt8) -> [UnsafeRawBufferPointer] {
        var pieces: [UnsafeRawBufferPointer] = []
        var rest = rest
        var state = UInt32(seed)
        let longest = rest.count / 16 + 1
        while !rest.isEmpty {
            // Numerical Recipes' linear congruential generator: cheap, and the same for the same seed.
            state = state &* 1_664_525 &+ 1_013_904_223
            let size = seed == 0 ? 1 : seed % 8 == 0 ? rest.count : Int(state >> 16) % longest + 1
            pieces.append(UnsafeRawBufferPointer(rebasing: rest.prefix(size)))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(size))
        }
        return pieces
    }
}

/// Ends the run with a finding unless it holds: libFuzzer knows a finding by the crash.
func require(_ holds: @autoclosure () -> Bool, _ words: @autoclosure () -> String) {
    if !holds() { fatalError(words()) }
}
