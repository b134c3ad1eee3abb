internal import MediaPorts
internal import PodcastModel

struct TagContents {
    /// See `StreamInfo.tags` for the names.
    private(set) var tags: [String: String] = [:]
    /// Sorted by time.
    private(set) var chapters: [Chapter] = []
    /// The front cover, or else the first picture.
    private(set) var art: EmbeddedArt?

    private var artIsCover = false
    /// The chapters in the order of the tag.
    private var found: [(name: [UInt8], chapter: Chapter)] = []
    private var listedNames: Set<[UInt8]> = []

    private static let mostChapters = 1000
    private static let mostTags = 100
    private static let longestText = 4096

    /// The names in `StreamInfo.tags`, with the relevant frames of ID3v2.3 and 2.4, then 2.2.
    private static let names = WordTable.values(
        """
        title: TIT2 TT2
        artist: TPE1 TP1
        album: TALB TAL
        albumArtist: TPE2 TP2
        genre: TCON TCO
        track: TRCK TRK
        date: TDRC TYER TYE
        subtitle: TIT3 TT3
        copyright: TCOP
        language: TLAN
        """)

    private static let otherNames: Set = ["COMM", "COM", "TXXX", "TXX", "WXXX", "CTOC"]

    static func needs(_ name: String) -> Bool { names[name] != nil || otherNames.contains(name) }

    /// - Parameter inChapter: whether the frame is one of the last chapter.
    mutating func add(_ name: String, _ body: ArraySlice<UInt8>, inChapter: Bool) {
        switch name {
        case "TIT2" where inChapter:
            found[found.count - 1].chapter.title = Self.texts(body).first.map { String($0.prefix(Self.longestText)) }
        case "WXXX" where inChapter: found[found.count - 1].chapter.link = Self.link(body)
        case _ where inChapter: break
        case "CTOC": addTable(body)
        case "COMM", "COM":
            let parts = Self.texts(body.prefix(1) + body.dropFirst(4))
            // Comments with a description are data of programs, such as iTunNORM.
            if parts.count >= 2, parts[0].isEmpty { set("comment", parts[1]) }
        case "TXXX", "TXX":
            let parts = Self.texts(body)
            if parts.count == 2 { set(parts[0].lowercased(), parts[1]) }
        default:
            // Several values of ID3v2.4 are joined, as in 2.3.
            if let key = Self.names[name] { set(key, Self.texts(body).filter { !$0.isEmpty }.joinedText("/")) }
        }
    }

    /// Keeps the first value of a name, because other players show the first tag.
    mutating func set(_ key: String, _ value: String) {
        guard !value.isEmpty, !key.isEmpty, key.utf8.count <= 64, tags[key] == nil, tags.count < Self.mostTags else {
            return
        }
        tags[key] = String(value.prefix(Self.longestText))
    }

    // MARK: Chapters

    var hasRoomForChapter: Bool { found.count < Self.mostChapters }

    mutating func addChapter(name: [UInt8], start: UInt32, end: UInt32) {
        var chapter = Chapter(start: MediaTime(milliseconds: Int64(start)))
        if end != .max && end >= start { chapter.end = MediaTime(milliseconds: Int64(end)) }
        found.append((name, chapter))
    }

    /// A table of contents: name, flags, a count, the names of its chapters and of other tables.
    private mutating func addTable(_ body: ArraySlice<UInt8>) {
        guard let nameEnd = body.firstIndex(of: 0), nameEnd + 3 <= body.endIndex else { return }
        var rest = body[(nameEnd + 3)...]
        for _ in 0..<body[nameEnd + 2] {
            guard let end = rest.firstIndex(of: 0), listedNames.count < Self.mostChapters else { break }
            listedNames.insert(Array(rest[..<end]))
            rest = rest[(end + 1)...]
        }
    }

    mutating func addPicture(_ picture: EmbeddedArt, isCover: Bool) {
        if art == nil || isCover && !artIsCover {
            art = picture
            artIsCover = isCover
        }
    }

    /// Sorts the chapters. Chapters that no table lists are not shown in a table of contents.
    mutating func finish() {
        if found.contains(where: { listedNames.contains($0.name) }) {
            for index in found.indices { found[index].chapter.isListed = listedNames.contains(found[index].name) }
        }
        chapters = found.map(\.chapter).sorted { $0.start < $1.start }
    }

    // MARK: Text

    /// The strings of a frame whose first byte is their encoding.
    static func texts(_ body: ArraySlice<UInt8>) -> [String] {
        guard let encoding = body.first else { return [] }
        var strings: [String] = []
        var rest = body.dropFirst()
        // A comment with many values is not text.
        while !rest.isEmpty && strings.count < 32 {
            let (string, after) = split(rest, encoding: encoding)
            strings.append(TagText.decode(withMark(string, of: body, encoding), encoding: encoding) ?? "")
            rest = after ?? []
        }
        return strings
    }

    /// Strings after the first may omit the byte order mark.
    private static func withMark(
        _ string: ArraySlice<UInt8>, of body: ArraySlice<UInt8>, _ encoding: UInt8
    ) -> ArraySlice<UInt8> {
        let first = body.dropFirst().prefix(2)
        let isMark = first.elementsEqual([0xFF, 0xFE]) || first.elementsEqual([0xFE, 0xFF])
        guard encoding == 1, isMark, let start = string.first, start != 0xFF && start != 0xFE else { return string }
        return (first + string)[...]
    }

    /// A string up to its terminator (in UTF-16 two zero bytes at an even offset, otherwise one), and the rest after it, if any.
    fileprivate static func split(
        _ bytes: ArraySlice<UInt8>, encoding: UInt8
    ) -> (string: ArraySlice<UInt8>, rest: ArraySlice<UInt8>?) {
        let width = encoding == 1 || encoding == 2 ? 2 : 1
        let places = stride(from: bytes.startIndex, through: bytes.endIndex - width, by: width)
        let end = places.first { bytes[$0] == 0 && bytes[$0 + width - 1] == 0 }
        guard let end else { return (bytes, nil) }
        return (bytes[..<end], bytes[(end + width)...])
    }

    /// The URL of a link frame, after a description in its own encoding; always Latin-1.
    private static func link(_ body: ArraySlice<UInt8>) -> String? {
        guard let encoding = body.first else { return nil }
        let address = split(body.dropFirst(), encoding: encoding).rest ?? []
        return TagText.decode(address.prefix { $0 != 0 }.prefix(longestText), encoding: 0)
    }
}

struct PictureHeader {
    var mime: String
    var isCover: Bool
    /// Bytes before the picture's bytes.
    var length: Int

    init?(_ bytes: ArraySlice<UInt8>, isOld: Bool) {
        guard let encoding = bytes.first else { return nil }
        var place = bytes.startIndex + 1
        if isOld {
            guard place + 3 <= bytes.endIndex else { return nil }
            let format = String(utf8: bytes[place..<place + 3]).lowercased()
            mime = "image/" + (format == "jpg" ? "jpeg" : format)
            place += 3
        } else {
            guard let end = bytes[place...].firstIndex(of: 0) else { return nil }
            mime = String(utf8: bytes[place..<end])
            place = end + 1
        }
        guard place < bytes.endIndex else { return nil }
        isCover = bytes[place] == 3
        guard let picture = TagContents.split(bytes[(place + 1)...], encoding: encoding).rest else { return nil }
        length = picture.startIndex - bytes.startIndex
    }
}

/// The tags at a file's end: APEv2 (wiki.hydrogenaud.io, APEv2 specification) and ID3v1 (id3.org).
enum TailTags {
    /// Number of bytes to search at the end of a file.
    static let longest = 16_384

    /// Adds tags from the last bytes of a file; existing tags stay.
    static func read(_ tail: [UInt8], into contents: inout TagContents) {
        let hasID3 = tail.count >= 128 && tail.suffix(128).starts(with: Array("TAG".utf8))
        readAPE(hasID3 ? tail.dropLast(128) : tail[...], into: &contents)
        if hasID3 { readID3(Array(tail.suffix(128)), into: &contents) }
    }

    private static func readID3(_ tag: [UInt8], into contents: inout TagContents) {
        for (key, range) in [("title", 3..<33), ("artist", 33..<63), ("album", 63..<93), ("comment", 97..<125)] {
            var text = tag[range].prefix { $0 != 0 }
            while text.last == .space { text.removeLast() }
            if let value = TagText.decode(text, encoding: 0) { contents.set(key, value) }
        }
    }

    private static func readAPE(_ bytes: ArraySlice<UInt8>, into contents: inout TagContents) {
        // Lyrics3 may be between an APE tag and ID3v1; use the last footer.
        let marker = Array("APETAGEX".utf8)
        guard bytes.count >= 32,
            let footer = (bytes.startIndex...bytes.endIndex - 32).last(where: { bytes[$0...].starts(with: marker) })
        else { return }
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reversed().reduce(0) { $0 << 8 | Int($1) } }
        let size = number(footer + 12)
        guard size >= 32, size - 32 <= footer - bytes.startIndex else { return }
        var place = footer + 32 - size
        for _ in 0..<min(number(footer + 16), 64) {
            guard place + 8 < footer else { return }
            let length = number(place)
            let isText = number(place + 4) & 6 == 0
            guard let keyEnd = bytes[(place + 8)..<footer].firstIndex(of: 0), length <= footer - keyEnd - 1 else {
                return
            }
            let key = String(utf8: bytes[(place + 8)..<keyEnd]).lowercased()
            let value = bytes[(keyEnd + 1)..<(keyEnd + 1 + length)]
            if isText, length <= 4096 { contents.set(key, String(utf8: value)) }
            place = keyEnd + 1 + length
        }
    }
}
