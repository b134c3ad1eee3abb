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
        digest = Self.bytes(of: art, in: source).flatMap(HashFunction.sha256.hexadecimal)
    }

    var json: JSONValue {
        ["mime": .string(mime), "bytes": .integer(length), "sha256": JSONValue(digest)]
    }

    private static func bytes(of art: EmbeddedArt, in source: any ByteSource) -> [UInt8]? {
        guard art.length <= longest, art.isAvailable(in: source.snapshot),
            let bytes = try? StoredFile.read(source.descriptor, at: art.offset, count: Int(art.length)),
            bytes.count == Int(art.length)
        else { return nil }
        return art.picture(storedAs: bytes)
    }
}
