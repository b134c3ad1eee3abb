internal import MPEGAudio

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
            let text = tag[range].prefix { $0 != 0 }
            if let value = TagText.decode(text, encoding: 0) { contents.set(key, trimmed(value)) }
        }
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return String(text)
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
            let key = String(decoding: bytes[(place + 8)..<keyEnd], as: UTF8.self).lowercased()
            let value = bytes[(keyEnd + 1)..<(keyEnd + 1 + length)]
            if isText, length <= 4096 { contents.set(key, String(decoding: value, as: UTF8.self)) }
            place = keyEnd + 1 + length
        }
    }
}
