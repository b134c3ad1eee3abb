internal import DecoderProtocol
internal import MediaPorts
internal import SystemCalls

/// Decodes a sample inside the sandbox, to find an incompatible kernel, library or filter before the first episode.
enum SelfTest {
    private static let maximumSteps = 200
    /// Bytes of PCM for one step.
    private static let room = 64 << 10

    /// Confines the process permanently and decodes the sample. Returns the failure, if any.
    static func fault(of decoder: any Decoder, _ sandbox: DecoderKind.Sandbox, sample: [UInt8]) -> String? {
        guard Confinement.isEnforced else { return "built without its sandbox; only for tests" }
        do throws(SystemError) {
            try Confinement.enter(sandbox, descriptors: DecoderDescriptors.limit)
        } catch {
            return "cannot enter its sandbox: \(error)"
        }
        let sound = Result { () throws(DecoderError) in try soundBytes(of: decoder, sample) }
        switch sound {
        case .success(let bytes): return bytes > 0 ? nil : "decoded no audio from its sample"
        case .failure(let error): return "cannot decode its sample: \(error)"
        }
    }

    private static func soundBytes(of decoder: any Decoder, _ sample: [UInt8]) throws(DecoderError) -> Int {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 16)
        defer { output.deallocate() }
        _ = try decoder.open(BytesInput(sample))
        var sum = 0
        for _ in 0..<maximumSteps {
            switch try decoder.decode(into: output) {
            case .produced(let bytes, _): sum += bytes
            case .formatChanged: break
            case .ended: return sum
            }
        }
        return sum
    }
}
