internal import PodcastModel

/// The lines of a text, ended by `\n`, `\r\n` or `\r`. Uses bytes, because texts may have millions of lines.
struct TextLines: Sequence, IteratorProtocol {
    private var rest: Substring.UTF8View?

    init(_ text: String) { rest = text[...].utf8 }

    mutating func next() -> Substring? {
        guard let bytes = rest else { return nil }
        guard let end = bytes.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
            rest = nil
            return Substring(bytes)
        }
        var following = bytes[end...].dropFirst()
        if bytes[end] == 0x0D, following.first == 0x0A { following = following.dropFirst() }
        rest = following
        return Substring(bytes[..<end])
    }
}

extension Substring {
    /// Position of the arrow between the times of a cue: `-->`.
    var arrow: Range<Index>? {
        var dashes = 0
        for place in utf8.indices {
            switch utf8[place] {
            case .dash: dashes += 1
            case .greater where dashes >= 2: return utf8.index(place, offsetBy: -2)..<utf8.index(after: place)
            default: dashes = 0
            }
        }
        return nil
    }
}
