/// Some MPEG frames of silence, for the decoder's self-test.
public enum SilentSample {
    /// Bytes of an MPEG frame of 128 kbit/s at 44,100 Hz: 144 x 128000 / 44100, without padding.
    private static let frameSize = 417

    /// Ten frames of MPEG 1 Layer III, a quarter of a second (ISO/IEC 11172-3, 2.4.1.3): a header for mono without
    /// checksum, then zeros as side information, which mean granules without coded bits: silence.
    public static var bytes: [UInt8] {
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: frameSize - 4)
        return (0..<10).flatMap { _ in frame }
    }
}
