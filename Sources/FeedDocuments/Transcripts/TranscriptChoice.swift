public import PodcastModel

/// Orders the transcripts of an episode by preference.
public enum TranscriptChoice {
    /// Best first: by the user's languages, then the feed's; within a language with times and in rich formats first.
    /// - Parameters:
    ///   - offered: in the feed's order, which decides between equals.
    ///   - languages: RFC 5646 tags, preferred first; only the primary language is compared.
    public static func ordered(_ offered: [TranscriptReference], languages: [String]) -> [TranscriptReference] {
        func rank(_ reference: TranscriptReference) -> (Int, Int) {
            // A transcript without a language is most likely in the feed's language.
            let language = reference.language.map(primary)
            let place = language.map { tag in languages.firstIndex { primary($0) == tag } ?? languages.count }
            return (place ?? max(0, languages.count - 1), formRank(reference))
        }
        // Swift's sort is stable.
        return offered.sorted { rank($0) < rank($1) }
    }

    private static func formRank(_ reference: TranscriptReference) -> Int {
        switch TranscriptForm(contentType: reference.type) ?? TranscriptForm(name: reference.url) {
        case .json: 0
        case .webVTT: 1
        case .srt: 2
        case .html: 3
        case .plain: 5
        // Captions always have times.
        case nil: reference.rel == "captions" ? 3 : 4
        }
    }

    private static func primary(_ tag: String) -> String {
        tag.prefix { $0 != "-" && $0 != "_" && $0 != "." }.lowercased()
    }
}
