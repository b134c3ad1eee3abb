internal import FFmpeg
internal import SystemCalls

/// Encodes 16-bit stereo of 48 kHz to standard output.
public final class SoundEncoder {
    private let encoder: AudioEncoder
    private let failure = Failure()

    private final class Failure {
        var error: SystemError?
    }

    /// - Returns: nil for an unknown form, or if FFmpeg has no encoder for the form.
    public init?(_ name: String) {
        guard let form = AudioEncoder.Form(rawValue: name) else { return nil }
        FFmpegLibrary.prepareForSandbox()
        let bitRate = form == .mp3 ? 128_000 : 64_000
        let made = try? AudioEncoder(form, rate: 48_000, channels: 2, bitRate: bitRate) { [failure] bytes in
            do throws(SystemError) { try FileDescriptor.write(1, bytes) } catch { failure.error = error }
        }
        guard let made else { return nil }
        encoder = made
    }

    /// Number of frames that `encode` takes.
    public var frameCount: Int { encoder.frameCount }

    public func encode(_ frames: UnsafeRawBufferPointer) throws {
        try encoder.encode(frames.bindMemory(to: Int16.self))
        if let error = failure.error { throw error }
    }
}
