/// Encodes 16-bit stereo of 48 kHz.
public struct SoundEncoder {
    private let encoder: AudioEncoder

    /// - Returns: nil for an unknown form, or if FFmpeg has no encoder for the form.
    public init?(_ name: String) {
        guard let form = AudioEncoder.Form(rawValue: name) else { return nil }
        FFmpegLibrary.prepareForSandbox()
        let bitRate = form == .mp3 ? 128_000 : 64_000
        guard let made = try? AudioEncoder(form, rate: 48_000, channels: 2, bitRate: bitRate) else { return nil }
        encoder = made
    }

    /// Number of frames that `encode` takes.
    public var frameCount: Int { encoder.frameCount }

    public func encode(_ frames: UnsafeRawBufferPointer) throws -> [UInt8] {
        unsafe try encoder.encode(frames.bindMemory(to: Int16.self))
    }
}
