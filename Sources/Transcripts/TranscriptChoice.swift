public import PodcastModel

/// Which of the transcripts that an episode offers is worth fetching.
public enum TranscriptChoice {
    /// The transcripts from the best to the least: the listener's language first, then the feed's own; in each those with
    /// times and in forms that say the most before the others.
    ///
    /// - Parameters:
    ///   - offered: what the feed names, in its order, which decides between equals.
    ///   - languages: RFC 5646 tags, the most wanted first; their first part counts.
    public static func ordered(
        _ offered: [TranscriptReference], languages: [String]
    ) -> [TranscriptReference] {
        func rank(_ reference: TranscriptReference) -> (Int, Int) {
            // One without a language is in the feed's, most likely.
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
        // Captions have times, whatever they are.
        case nil: reference.rel == "captions" ? 3 : 4
        }
    }

    private static func primary(_ tag: String) -> String {
        tag.prefix { $0 != "-" && $0 != "_" && $0 != "." }.lowercased()
    }
}
