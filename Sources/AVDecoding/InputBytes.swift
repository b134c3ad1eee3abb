internal import FFmpeg
internal import MediaPorts

/// Passes the bytes of a decoder's input to the library.
final class InputBytes: MediaBytes {
    private let input: any DecoderInput

    init(_ input: any DecoderInput) { self.input = input }

    var length: Int64? { input.length }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> MediaRead {
        switch Result(catching: { () throws(DecoderError) in try input.read(into: buffer, at: offset) }) {
        case .success(0): .end
        case .success(let count): .bytes(count)
        case .failure: .interrupted
        }
    }
}
