internal import Digest
internal import JSON
internal import MediaPorts
internal import SystemCalls

/// A picture in a media file, for a report.
struct EmbeddedPicture: Equatable {
    var mime: String
    /// In bytes, as stored in the file.
    var length: Int64
    /// SHA-256 of the picture; nil if its bytes are not available.
    var digest: String?

    /// Longer pictures get no digest.
    private static let longest: Int64 = 64 << 20

    init(_ art: EmbeddedArt, in source: any ByteSource) {
        mime = art.mime
        length = art.length
        digest = Self.bytes(of: art, in: source).flatMap(SHA256.hexadecimal)
    }

    var json: JSONValue {
        ["mime": .string(mime), "bytes": .integer(length), "sha256": JSONValue(digest)]
    }

    private static func bytes(of art: EmbeddedArt, in source: any ByteSource) -> [UInt8]? {
        let end = art.offset + art.length
        let snapshot = source.snapshot
        guard art.length <= longest, snapshot.end(ofAvailableFrom: art.offset) >= end, snapshot.memory.range.isEmpty
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(art.length))
        var place = 0
        while place < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                try? readSome(
                    source.descriptor, at: art.offset + Int64(place),
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[place...]))
            }
            guard let count, count > 0 else { return nil }
            place += count
        }
        return art.isUnsynchronised ? synchronised(bytes) : bytes
    }

    /// Removes the zero after each 0xFF (ID3v2.4 structure, section 6.1).
    private static func synchronised(_ bytes: [UInt8]) -> [UInt8] {
        var last: UInt8 = 0
        return bytes.filter { byte in
            defer { last = byte }
            return !(last == 0xFF && byte == 0)
        }
    }
}
