internal import PodcastModel

/// A passage of a transcript as stored: the text with a line for each cue, and in another column times and speakers.
struct PassageText {
    /// Approximate length of a passage in milliseconds.
    private static let length: Int64 = 60_000
    /// Approximate length of a passage in bytes, if there are no times.
    private static let bytes = 2_000

    /// A line for each cue.
    var words: String
    /// A line for each cue: milliseconds since the start of the previous cue (or of the transcript), the cue's length,
    /// and the speaker, or `=` for the same speaker. Unknown times are empty.
    var cues: String

    /// Splits a transcript into passages. Omits cues without readable text.
    static func passages(_ cues: [Cue]) -> [PassageText] {
        var passages: [PassageText] = []
        var batch: [Cue] = []
        var size = 0
        for cue in cues {
            var cue = cue
            cue.text = SafeText.line(cue.text)
            if cue.text.isEmpty { continue }
            let start = cue.start?.milliseconds ?? 0
            let isFull = size >= bytes || start - (batch.first?.start?.milliseconds ?? start) >= length
            if isFull, !batch.isEmpty {
                passages.append(PassageText(batch))
                batch = []
                size = 0
            }
            batch.append(cue)
            size += cue.text.utf8.count
        }
        if !batch.isEmpty { passages.append(PassageText(batch)) }
        return passages
    }
}

extension PassageText {
    private init(_ batch: [Cue]) {
        words = batch.map(\.text).joinedText("\n")
        var lines: [String] = []
        var place: Int64 = 0
        var speaker: String?
        for cue in batch {
            let start = cue.start.map { "\($0.milliseconds - place)" } ?? ""
            let length = cue.end.flatMap { end in cue.start.map { "\(end.milliseconds - $0.milliseconds)" } } ?? ""
            let isSame = cue.speaker != nil && cue.speaker == speaker
            lines.append("\(start),\(length),\(isSame ? "=" : cue.speaker.map { SafeText.line($0) } ?? "")")
            place = cue.start?.milliseconds ?? place
            speaker = cue.speaker
        }
        self.cues = lines.joinedText("\n")
    }

    /// The cues of the passage; invalid lines become cues without times.
    var list: [Cue] {
        var place: Int64 = 0
        var speaker: String?
        let times = cues.fields(separatedBy: "\n")
        return words.split(separator: "\n").enumerated().map { index, text in
            let parts = (index < times.count ? times[index] : "")
                .split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            var cue = Cue(text: String(text))
            if let delay = parts.first.flatMap({ Int64($0) }), delay.magnitude < 1 << 40 {
                place += delay
                cue.start = MediaTime(milliseconds: place)
                if parts.count > 1, let length = Int64(parts[1]), length.magnitude < 1 << 40 {
                    cue.end = MediaTime(milliseconds: place + length)
                }
            }
            if parts.count > 2, parts[2] != "=" { speaker = parts[2].isEmpty ? nil : String(parts[2]) }
            cue.speaker = speaker
            return cue
        }
    }
}
