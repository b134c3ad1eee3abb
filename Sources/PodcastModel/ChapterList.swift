/// The chapters of an episode from several sources.
public struct ChapterList: Equatable, Sendable {
    /// Ordered by start time.
    public private(set) var chapters: [Chapter]

    /// Chapters of different sources that start this close to each other are the same.
    private static let tolerance = MediaTime(milliseconds: 1000)

    /// Uses the chapters of the first source with at least two listed chapters, or else of the first source with any.
    /// The other sources add missing titles, links, images and ends.
    /// - Parameter sources: the most reliable source first.
    public init(merging sources: [[Chapter]]) {
        let sorted = sources.map { source in
            source.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        }
        let base =
            sorted.firstIndex { $0.lazy.filter(\.isListed).count >= 2 } ?? sorted.firstIndex { !$0.isEmpty }
        guard let base else {
            chapters = []
            return
        }
        var merged = sorted[base]
        for other in sorted.indices where other != base { Self.complete(&merged, from: sorted[other]) }
        chapters = merged
    }

    /// The publisher's chapters take precedence, because a publisher can correct a chapters document later. The file's do
    /// if they are the same at other times, as with inserted advertisements, or if the file has not the announced length.
    /// - Parameter duration: of the file; chapters after its end are left out.
    public init(
        published: [Chapter], ofFile: [Chapter], duration: MediaTime? = nil, announced: MediaTime? = nil
    ) {
        let published = published.filter { $0.start < duration ?? .distantFuture }
        var ofFile = ofFile.filter { $0.start < duration ?? .distantFuture }
        let isSame = ofFile.count > 1 && ofFile.map(\.title) == published.map(\.title)
        if isSame {
            for index in ofFile.indices {
                ofFile[index].link = ofFile[index].link ?? published[index].link
                ofFile[index].image = ofFile[index].image ?? published[index].image
            }
        }
        let difference = announced.flatMap { announced in duration.map { abs($0.seconds - announced.seconds) } } ?? 0
        let isFileBetter = isSame || published.first?.isFromNotes ?? false || difference > Self.announcedPrecision
        self.init(merging: isFileBetter ? [ofFile, published] : [published, ofFile])
        var number = 0
        for index in chapters.indices where chapters[index].isListed {
            number += 1
            if chapters[index].title?.isEmpty ?? true { chapters[index].title = "Chapter \(number)" }
        }
    }

    /// Seconds by which an announced duration may be wrong without a reason.
    private static let announcedPrecision = 10.0

    /// Both lists are ordered by start time.
    private static func complete(_ chapters: inout [Chapter], from others: [Chapter]) {
        var first = 0
        for index in chapters.indices {
            let start = chapters[index].start
            while first < others.count, others[first].start < start - tolerance { first += 1 }
            guard first < others.count, others[first].start <= start + tolerance else { continue }
            let other = others[first]
            chapters[index].title = chapters[index].title ?? other.title
            chapters[index].link = chapters[index].link ?? other.link
            chapters[index].image = chapters[index].image ?? other.image
            if chapters[index].end == nil, let end = other.end, end > start { chapters[index].end = end }
        }
    }

    public var listed: [Chapter] { chapters.filter(\.isListed) }

    /// End of the audible part of the chapter at a position: the start of the next chapter, or of a skipped range that
    /// reaches to the next chapter. Nil in the last chapter.
    public func heardEnd(at position: MediaTime, skipping skips: [Range<MediaTime>]) -> MediaTime? {
        guard let next = listed.first(where: { $0.start > position })?.start else { return nil }
        let skip = skips.first { $0.lowerBound > position && $0.lowerBound < next && next <= $0.upperBound }
        return skip?.lowerBound ?? next
    }

    /// Time range of a chapter; nil if it ends before it starts. Unlisted chapters do not end a listed chapter.
    func time(of index: Int, duration: MediaTime?) -> Range<MediaTime>? {
        let chapter = chapters[index]
        let next = chapters[(index + 1)...].first { $0.isListed || !chapter.isListed }?.start
        let end = chapter.end ?? next ?? duration ?? .distantFuture
        return chapter.start < end ? chapter.start..<end : nil
    }

    /// Chapters for the table of contents, each with a flag: true if the whole chapter is skipped.
    public func listed(
        skipping skips: [Range<MediaTime>], duration: MediaTime?
    ) -> [(chapter: Chapter, isSkipped: Bool)] {
        chapters.indices.filter { chapters[$0].isListed }.map { index in
            let time = time(of: index, duration: duration)
            let isSkipped = skips.contains { skip in
                time.map { skip.lowerBound <= $0.lowerBound && $0.upperBound <= skip.upperBound } ?? false
            }
            return (chapters[index], isSkipped)
        }
    }

    public enum Choice: Equatable, Sendable {
        case next
        /// The beginning of the current chapter, or the previous chapter if the current one has just begun.
        case previous
        /// Number in the table of contents, from 1.
        case number(Int)
        case title(String)

        /// - Parameter text: `next`, `previous`, a number or words of a title.
        public init(_ text: String) {
            switch text.lowercased() {
            case "next": self = .next
            case "previous", "prev": self = .previous
            default: self = Int(text).map { .number($0) } ?? .title(text)
            }
        }
    }

    /// After this time within a chapter, `previous` goes to the chapter's beginning.
    static let restartThreshold = MediaTime(seconds: 5)

    /// - Parameter skips: ranges that are not played: `next` and `previous` skip chapters that begin in such a range.
    /// - Throws: `ChapterFailure` if no chapter matches.
    public func find(
        _ choice: Choice, at position: MediaTime, skipping skips: [Range<MediaTime>] = []
    ) throws(ChapterFailure) -> Chapter {
        let listed = listed
        guard !listed.isEmpty else { throw .noChapters }
        func isPlayed(_ chapter: Chapter) -> Bool { !skips.contains { $0.contains(chapter.start) } }
        switch choice {
        case .next:
            guard let next = listed.first(where: { $0.start > position && isPlayed($0) }) else { throw .lastChapter }
            return next
        case .previous:
            let begun = listed.filter { $0.start <= position && isPlayed($0) }
            guard let current = begun.last else { return listed[0] }
            if position - current.start >= Self.restartThreshold || begun.count == 1 { return current }
            return begun[begun.count - 2]
        case .number(let number):
            guard listed.indices.contains(number - 1) else { throw .noSuchNumber(count: listed.count) }
            return listed[number - 1]
        case .title(let words): return try Self.find(words, in: listed)
        }
    }

    private static func find(_ words: String, in listed: [Chapter]) throws(ChapterFailure) -> Chapter {
        let wanted = words.lowercased()
        let titles = listed.map { $0.title?.lowercased() ?? "" }
        if let exact = titles.firstIndex(of: wanted) { return listed[exact] }
        let matches = titles.indices.filter { !wanted.isEmpty && titles[$0].contains(wanted) }
        if matches.count > 1 {
            throw .severalMatch(matches.prefix(5).map { "\($0 + 1) \(listed[$0].title ?? "")" })
        }
        guard let match = matches.first else { throw .noMatch }
        return listed[match]
    }
}

/// Why a chapter cannot be reached.
public enum ChapterFailure: Error, Equatable, CustomStringConvertible {
    case noChapters
    case lastChapter
    case noSuchNumber(count: Int)
    case noMatch
    /// Numbers and titles of some matching chapters.
    case severalMatch([String])

    public var description: String {
        switch self {
        case .noChapters: "this episode has no chapters"
        case .lastChapter: "this is the last chapter"
        case .noSuchNumber(let count): count == 1 ? "there is only one chapter" : "the chapters are 1 to \(count)"
        case .noMatch: "no chapter has this title"
        case .severalMatch(let titles): "several chapters match: \(titles.joinedText(", "))"
        }
    }
}
