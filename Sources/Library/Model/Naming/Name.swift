public import PodcastModel

/// A kind of object that users look up by id or title.
public enum NamedKind: String, Sendable {
    case feed, episode
    /// Both kinds are searched.
    case feedOrEpisode = "feed or episode"
    /// A queue entry, named by its index from 1.
    case entry = "queue entry"

    /// `feeds`, `episodes`.
    public var plural: String {
        switch self {
        case .feed, .episode: "\(rawValue)s"
        case .feedOrEpisode: "feeds or episodes"
        case .entry: "queue entries"
        }
    }

    /// The letter of the kind's ids.
    fileprivate var letter: Character {
        switch self {
        case .feed: "f"
        case .episode, .feedOrEpisode: "e"
        case .entry: "#"
        }
    }
}

/// The syntax of a name in a command line or request, before the library is searched.
///
/// An id shows its kind: `e3124` is an episode, `f5` a feed, `#7` a queue index; `e10-e20`, `e10-20` and `10-20` are
/// ranges. The command decides the kind of a number without a letter. A number is never a title; a number with a sign
/// matches nothing.
public enum Name: Hashable, Sendable {
    /// `e3124`, `e10-e20`
    case episodes(ClosedRange<EpisodeID>)
    /// `f5`, `f1-f3`
    case feeds(ClosedRange<FeedID>)
    /// `#7`, `#2-#4`: indexes in the queue, from 1.
    case entries(ClosedRange<Int>)
    /// `current`: the queue's current entry. A title that consists of this word alone can only be named by id.
    case current
    case url(String)
    /// `playlist:NAME`
    case playlist(String)
    /// `filter:CONDITIONS`
    case filter(String)
    /// `e20-e10`: a range of ids with a letter whose end is before its start.
    case reversedRange
    /// A title, or words of one.
    case text(String)

    /// - Parameter number: the kind of a number without a letter: `feed`, `episode` or `entry`.
    public init(_ word: String, number kind: NamedKind) {
        if let ids = Self.ids(word, number: kind) {
            self = ids
        } else if word == "current" {
            self = .current
        } else if let name = Self.rest(of: word, after: "playlist:") {
            self = .playlist(name)
        } else if let conditions = Self.rest(of: word, after: "filter:") {
            self = .filter(conditions)
        } else if word.contains("://") {
            self = .url(word)
        } else {
            self = .text(word)
        }
    }

    private static func rest(of word: String, after prefix: String) -> String? {
        word.hasPrefix(prefix) ? String(word.dropFirst(prefix.count)) : nil
    }

    private static func ids(_ word: String, number kind: NamedKind) -> Name? {
        if isSigned(word) { return range(kind.letter, 0...0) }
        let ends = word.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard let (letter, first) = number(ends[0]) else { return nil }
        var last = first
        if ends.count == 2 {
            guard let (second, number) = number(ends[1]), second == nil || second == letter else { return nil }
            // Without a letter the text is a title, such as "24-7".
            if number < first { return letter == nil ? nil : .reversedRange }
            last = number
        }
        return range(letter ?? kind.letter, first...last)
    }

    private static func range(_ letter: Character, _ ids: ClosedRange<Int64>) -> Name {
        switch letter {
        case "e": .episodes(EpisodeID(ids.lowerBound)...EpisodeID(ids.upperBound))
        case "f": .feeds(FeedID(ids.lowerBound)...FeedID(ids.upperBound))
        default: .entries(Int(ids.lowerBound)...Int(ids.upperBound))
        }
    }

    /// True for a number with a sign, which a script computed; such a word is not a title.
    private static func isSigned(_ word: String) -> Bool {
        (word.hasPrefix("-") || word.hasPrefix("+")) && isNumber(word.dropFirst())
    }

    private static func isNumber(_ word: Substring) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy(\.isDigit)
    }

    /// Digits after an optional letter. A number beyond all ids becomes the largest id, which does not exist.
    private static func number(_ word: Substring) -> (letter: Character?, number: Int64)? {
        let letter = word.first.flatMap { "ef#".contains($0) ? $0 : nil }
        let digits = letter == nil ? word : word.dropFirst()
        return isNumber(digits) ? (letter, Int64(digits) ?? .max) : nil
    }

    /// Several words as one title; nil if any word is a URL, a playlist or a filter, or if all are ids.
    static func joinedTitle(_ words: [String]) -> String? {
        guard words.count > 1, words.allSatisfy({ !$0.isEmpty && !$0.contains(where: \.isWhitespace) }) else {
            return nil
        }
        var hasText = false
        for word in words {
            switch Name(word, number: .episode) {
            case .text, .current: hasText = true
            case .episodes, .feeds, .entries, .reversedRange: break
            case .url, .playlist, .filter: return nil
            }
        }
        return hasText ? words.joinedText(" ") : nil
    }
}
