internal import PodcastModel

/// Parses SRT, WebVTT (w3.org/TR/webvtt1) and mixed forms: numbers are optional, other blocks are skipped.
enum TimedTextReader {
    static func read(_ text: String, into cues: inout CueCollection) {
        var block = Block()
        for line in TextLines(text) {
            if let arrow = line.arrow {
                block.dropNumber()
                block.end(&cues)
                block = Block(timing: line, arrow)
                if block.isUnreadable { cues.passOver() }
            } else if line.utf8.allSatisfy({ $0 <= 0x20 }) {
                block.end(&cues)
                block = Block()
            } else {
                block.append(line)
            }
        }
        block.end(&cues)
    }

    /// A time line and the lines below it, or lines that belong to no cue.
    private struct Block {
        var start: MediaTime?
        var end: MediaTime?
        var hasTiming = false
        var lines: [Substring] = []
        var bytes = 0

        /// Maximum bytes of a cue with its markup, of which less than a quarter is kept.
        static let mostBytes = 4 * CueCollection.longestText

        init() {}

        mutating func append(_ line: Substring) {
            guard bytes < Self.mostBytes else { return }
            let end = line.utf8.index(line.startIndex, offsetBy: Self.mostBytes - bytes, limitedBy: line.endIndex)
            bytes += line.utf8.count
            lines.append(line[..<(end ?? line.endIndex)])
        }

        init(timing line: Substring, _ arrow: Range<Substring.Index>) {
            hasTiming = true
            start = AnnouncedTime.start(line[..<arrow.lowerBound])
            // The end is followed by WebVTT's settings or SRT's coordinates.
            let words = line[arrow.upperBound...].split(whereSeparator: \.isWhitespace)
            end = words.first.flatMap { AnnouncedTime.start($0) }
        }

        var isUnreadable: Bool { hasTiming && start == nil }

        /// If the empty line before a cue is missing, the cue's number is the last line of the previous cue.
        mutating func dropNumber() {
            guard hasTiming, lines.count > 1, let last = lines.last else { return }
            if last.allSatisfy({ $0.isWholeNumber || $0.isWhitespace }) { lines.removeLast() }
        }

        func end(_ cues: inout CueCollection) {
            guard let start else { return }
            let spoken = SpokenText(markup: lines.joined(separator: "\n"))
            cues.add(Cue(start: start, end: end, speaker: spoken.speaker, text: spoken.text))
        }
    }
}
