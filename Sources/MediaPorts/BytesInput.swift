/// A file in memory, for a decoder's self-test and for tests.
public final class BytesInput: DecoderInput {
    private let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    public var length: Int64? { Int64(bytes.count) }

    public func available(at offset: Int64) -> Int64 { max(0, Int64(bytes.count) - max(0, offset)) }

    public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int {
        let count = Int(min(available(at: offset), Int64(buffer.count)))
        if count > 0 { buffer.copyBytes(from: bytes[Int(offset)..<Int(offset) + count]) }
        return count
    }
}
