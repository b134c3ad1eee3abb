/// A decoder program with its file types and its memory. To add a decoder, add a value to `all`, and a program.
public struct DecoderKind: Equatable, Sendable {
    /// How files begin that a decoder is probably for.
    struct Beginning: Equatable {
        /// Place of the bytes in the file.
        var offset: Int
        var bytes: [UInt8]
        var mask: [UInt8]

        fileprivate init(_ bytes: [UInt8], at offset: Int = 0, mask: [UInt8]? = nil) {
            self.offset = offset
            self.bytes = bytes
            self.mask = mask ?? bytes.map { _ in 0xFF }
        }

        fileprivate init(_ text: String, at offset: Int = 0) { self.init(Array(text.utf8), at: offset) }

        func matches(_ head: [UInt8]) -> Bool {
            head.count >= offset + bytes.count
                && bytes.indices.allSatisfy { head[offset + $0] & mask[$0] == bytes[$0] & mask[$0] }
        }
    }

    /// Name of the program, in the directory of the program that starts it, or its path.
    public var executable: String
    /// The formats, for the program's help.
    public var purpose: String
    var beginnings: [Beginning]
    /// MIME types of files that it is probably for.
    var mediaTypes: Set<String>
    /// Bytes of address space that a decoder process may have.
    public var addressSpace: UInt64

    public static let mpeg = DecoderKind(
        executable: "podcast-decode", purpose: "MPEG audio",
        // A sync word of 11 bits, and a layer (ISO/IEC 11172-3, 2.4.1.3); layer 0 is AAC.
        beginnings: [Beginning("ID3")] + [0xE2, 0xE4, 0xE6].map { Beginning([0xFF, $0], mask: [0xFF, 0xE6]) },
        mediaTypes: ["audio/mpeg", "audio/mp3"],
        // Libraries and both mappings of the ring take 40 MiB, the seek index of a day's recording a few more.
        addressSpace: 192 << 20)

    /// All other formats, with FFmpeg's libraries.
    public static let av = DecoderKind(
        executable: "podcast-decode-av", purpose: "audio other than MPEG audio",
        beginnings: ["OggS", "fLaC", "RIFF", "FORM", "caff", "#!AMR", "wvPK", "MAC ", "TTA1", ".snd"].map {
            Beginning($0)
        }
            + [Beginning("ftyp", at: 4), Beginning([0x1A, 0x45, 0xDF, 0xA3]), Beginning([0x30, 0x26, 0xB2, 0x75])]
            + [Beginning([0xFF, 0xF0], mask: [0xFF, 0xF6])],
        mediaTypes: [
            "audio/mp4", "audio/x-m4a", "audio/m4a", "audio/x-m4b", "audio/aac", "audio/aacp", "audio/ogg",
            "audio/opus", "audio/vorbis", "application/ogg", "audio/flac", "audio/x-flac", "audio/wav", "audio/x-wav",
            "audio/webm", "video/mp4", "video/x-m4v", "video/quicktime", "video/webm",
        ],
        // A hundred libraries take 250 MiB, the index of a long file up to a hundred more.
        addressSpace: 768 << 20)

    /// Makes copies of covers. The limit refuses pictures that exceed the memory of a small machine.
    public static var picture: DecoderKind {
        var kind = av
        kind.addressSpace = 448 << 20
        return kind
    }

    /// In order of preference for an unknown file.
    public static let all: [DecoderKind] = [.mpeg, .av]

    /// The kinds, the most probable one first. The bytes take precedence over the declared type.
    /// - Parameters:
    ///   - head: the available beginning of the file.
    ///   - mediaType: as declared by a server, without parameters.
    public static func ordered(_ kinds: [DecoderKind], head: [UInt8], mediaType: String?) -> [DecoderKind] {
        let byBytes = kinds.firstIndex { kind in kind.beginnings.contains { $0.matches(head) } }
        let byType = mediaType.flatMap { type in kinds.firstIndex { $0.mediaTypes.contains(type.lowercased()) } }
        guard let first = byBytes ?? byType else { return kinds }
        return [kinds[first]] + kinds[..<first] + kinds[(first + 1)...]
    }

    public func at(_ path: String) -> DecoderKind {
        var kind = self
        kind.executable = path
        return kind
    }
}
