import FeedDocuments
import PodcastModel

private let tenYears = MediaTime(seconds: 10 * 366 * 86_400)

/// Chapter documents: JSON, Podlove's XML, lines with a time and a title.
enum ChapterFuzz {
    private static let types = [
        nil, "application/json+chapters", "text/xml; charset=iso-8859-1", "text/plain; charset=utf-16",
    ]

    static func run(_ input: FuzzInput) {
        var input = input
        let type = types[Int(input.number(UInt8.self)) % types.count]
        guard let document = try? ChapterDocument(Array(input.rest), contentType: type) else { return }
        require(!document.chapters.isEmpty, "a document without a chapter")
        var last = MediaTime.zero
        for chapter in document.chapters {
            require(chapter.start >= last && chapter.start < tenYears, "\(chapter) behind \(last)")
            last = chapter.start
            if let end = chapter.end { require(end > chapter.start && end < tenYears, "\(chapter)") }
            if let title = chapter.title { Shown.requireLine(title) }
            [chapter.link, chapter.image].compactMap(\.self).forEach(Shown.requireLink)
        }
    }
}

/// Transcripts in all formats.
enum TranscriptFuzz {
    private static let types = [
        nil, "text/vtt", "application/srt", "application/json", "text/html; charset=windows-1252", "text/plain",
    ]

    static func run(_ input: FuzzInput) {
        var input = input
        let type = types[Int(input.number(UInt8.self)) % types.count]
        guard let document = try? TranscriptDocument(Array(input.rest), contentType: type) else { return }
        require(!document.cues.isEmpty, "a document without a cue")
        let hasTimes = document.cues.allSatisfy { $0.start != nil }
        var last = MediaTime.zero
        for cue in document.cues {
            require(!cue.text.isEmpty, "a cue without text")
            Shown.requireText(cue.text)
            if let speaker = cue.speaker { Shown.requireLine(speaker) }
            guard let start = cue.start else { continue }
            require(start < tenYears && (!hasTimes || start >= last), "\(cue) behind \(last)")
            last = start
            if let end = cue.end { require(end > start && end < tenYears, "\(cue)") }
        }
    }
}
