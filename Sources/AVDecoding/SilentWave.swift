/// A WAV file of silence, for the decoder's self-test.
public enum SilentWave {
    /// A tenth of a second of 16-bit mono at 8,000 Hz: RIFF header, `fmt ` and `data` (RFC 2361).
    public static var bytes: [UInt8] {
        let size = 1600
        func number(_ value: Int, bytes: Int) -> [UInt8] {
            (0..<bytes).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        }
        let format =
            number(1, bytes: 2) + number(1, bytes: 2) + number(8000, bytes: 4) + number(16_000, bytes: 4)
            + number(2, bytes: 2) + number(16, bytes: 2)
        return Array("RIFF".utf8) + number(36 + size, bytes: 4) + Array("WAVEfmt ".utf8) + number(16, bytes: 4) + format
            + Array("data".utf8) + number(size, bytes: 4) + [UInt8](repeating: 0, count: size)
    }
}
