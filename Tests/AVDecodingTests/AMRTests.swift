import AVDecoding
import MediaPorts
import PodcastModel
import Testing
import TestSupport

/// Recordings of phones (RFC 4867, section 5), with frames of different lengths.
struct AMRTests {
    /// The beginning of a file, its sample rate, and the bytes after the header of a frame for some modes.
    struct Kind: Sendable {
        var codec: String
        var beginning: String
        var rate: Int
        var sizes: [(mode: UInt8, count: Int)]

        func file(frames: Int) -> [UInt8] {
            var noise: UInt32 = 1
            var bytes = Array(beginning.utf8)
            for frame in 0..<frames {
                let (mode, count) = sizes[frame / 20 % sizes.count]
                bytes.append(mode << 3 | 4)
                for _ in 0..<count {
                    noise = noise &* 1_664_525 &+ 1_013_904_223
                    bytes.append(UInt8(noise >> 24))
                }
            }
            return bytes
        }
    }

    static let kinds = [
        Kind(codec: "amr_nb", beginning: "#!AMR\n", rate: 8000, sizes: [(7, 31), (0, 12), (4, 19)]),
        Kind(codec: "amr_wb", beginning: "#!AMR-WB\n", rate: 16_000, sizes: [(8, 60), (0, 17), (4, 40)]),
    ]

    @Test(arguments: kinds) func everyFrameIsPlayedAndTheDurationIsExactAtTheEnd(_ kind: Kind) throws {
        let decoder = AVDecoder()
        let info = try decoder.open(BytesInput(kind.file(frames: 500)))
        #expect(info.container == "amr" && info.codec == kind.codec)
        expectEqual(info.format, PCMFormat(rate: kind.rate, channels: 1, type: .float32))
        var output = [UInt8](repeating: 0, count: 32_768)
        var frames: Int64 = 0
        func step() throws -> DecodeStep { try output.withUnsafeMutableBytes { try decoder.decode(into: $0) } }
        while case .produced(let bytes, let frame) = try step() {
            expectEqual(frame, frames)
            frames += Int64(bytes / 4)
        }
        // A frame is 20 ms.
        expectEqual(frames, 10 * Int64(kind.rate))
        expectEqual(decoder.info?.duration, MediaTime(seconds: 10))
        expectEqual(decoder.info?.isExact, true)
    }
}
