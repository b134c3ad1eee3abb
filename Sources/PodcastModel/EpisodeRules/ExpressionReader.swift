/// The error in an invalid filter, rule or retention policy, for users.
public struct ExpressionError: Error, Equatable, CustomStringConvertible {
    /// Column of the error in characters, from 1.
    public var column: Int
    public var what: String
    public var hint: String

    init(_ column: Int, _ what: String, hint: String) {
        self.column = column
        self.what = what
        self.hint = hint
    }

    public var description: String { "\(what) (at character \(column))" }
}

extension EpisodeExpression {
    /// In bytes.
    public static let maximumLength = 2_000
    static let maximumTerms = 32
    static let maximumDepth = 8

    /// Parses a filter; an empty text matches every episode.
    public init(parsing text: String) throws(ExpressionError) {
        var reader = try ExpressionReader(text)
        self = try reader.expression(until: nil)
    }
}

/// Parses the filter language word by word.
struct ExpressionReader {
    /// A word: `key:value,value`, or plain text.
    struct Word {
        let column: Int
        /// The text before the colon, unless quoted.
        let key: String?
        /// The values after the colon, or the text itself.
        var values: [(text: String, isQuoted: Bool)]

        /// The word, if it is neither a condition nor quoted.
        var bare: String? { key == nil && values.count == 1 && !values[0].isQuoted ? values[0].text : nil }
    }

    private static let maximumValues = 32
    private let scalars: [Unicode.Scalar]
    private var place = 0
    private var brackets = 0
    private var conditionCount = 0
    /// Whether `order:` ends an expression, which then is in `order`.
    var endsAtOrder = false
    var order: Word?

    init(_ text: String) throws(ExpressionError) {
        guard text.utf8.count <= EpisodeExpression.maximumLength else {
            throw ExpressionError(
                1, "longer than \(EpisodeExpression.maximumLength) bytes", hint: "split it into several")
        }
        scalars = Array(text.unicodeScalars)
        for (index, scalar) in scalars.enumerated() where SafeText.isControl(scalar) {
            throw ExpressionError(index + 1, "control character", hint: "write spaces between words")
        }
    }

    // MARK: words

    mutating func next() throws(ExpressionError) -> Word? {
        while place < scalars.count, isSpace(scalars[place]) { place += 1 }
        guard place < scalars.count else { return nil }
        let column = place + 1
        let start = place
        if scalars[place] == "(" || scalars[place] == ")" {
            place += 1
            return Word(column: column, key: nil, values: [(text(start..<place), false)])
        }
        while place < scalars.count, Self.isKeyLetter(scalars[place]) { place += 1 }
        if place > start, place < scalars.count {
            var key = text(start..<place).lowercased()
            switch scalars[place] {
            case "<" where key == "duration": key = "shorter"
            case ">" where key == "duration": key = "longer"
            case ":": break
            case _: key = ""
            }
            if !key.isEmpty {
                place += 1
                return Word(column: column, key: key, values: try values(of: key))
            }
        }
        place = start
        let (value, isQuoted) = try value(until: { _ in false })
        return Word(column: column, key: nil, values: [(value, isQuoted)])
    }

    private mutating func values(of key: String) throws(ExpressionError) -> [(text: String, isQuoted: Bool)] {
        var values: [(text: String, isQuoted: Bool)] = []
        while true {
            let column = place + 1
            let value = try value(until: { $0 == "," })
            if value.text.isEmpty {
                throw ExpressionError(column, "\(key): value missing", hint: "write it directly after the colon")
            }
            values.append(value)
            if values.count > Self.maximumValues {
                throw ExpressionError(
                    column, "\(key): more than \(Self.maximumValues) values", hint: "split it into several")
            }
            guard place < scalars.count, scalars[place] == "," else { return values }
            place += 1
        }
    }

    private mutating func value(
        until ends: (Unicode.Scalar) -> Bool
    ) throws(ExpressionError) -> (text: String, isQuoted: Bool) {
        let start = place
        guard place < scalars.count, scalars[place] == "\"" else {
            while place < scalars.count, !isEnd(scalars[place]), !ends(scalars[place]) { place += 1 }
            return (text(start..<place), false)
        }
        var result = String.UnicodeScalarView()
        place += 1
        while place < scalars.count {
            switch scalars[place] {
            case "\"":
                place += 1
                if place < scalars.count, !isEnd(scalars[place]), !ends(scalars[place]) {
                    throw ExpressionError(
                        place + 1, "text after the closing quote", hint: "put a space or a comma after the quote")
                }
                return (String(result), true)
            case "\\" where place + 1 < scalars.count:
                result.append(scalars[place + 1])
                place += 2
            case let scalar:
                result.append(scalar)
                place += 1
            }
        }
        throw ExpressionError(start + 1, "closing quote missing", hint: "end the value with \"")
    }

    private func text(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(scalars[range])) }

    /// True if the scalar ends a value: a space, or the end of an open bracket.
    private func isEnd(_ scalar: Unicode.Scalar) -> Bool { isSpace(scalar) || brackets > 0 && scalar == ")" }

    private func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    private static func isKeyLetter(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || scalar == "-"
    }

    // MARK: terms

    /// Parses up to the end, or up to the unquoted word `stop`, which is consumed.
    mutating func expression(until stop: String?) throws(ExpressionError) -> EpisodeExpression {
        let group = try group(until: stop, openedAt: nil)
        return EpisodeExpression(terms: group.terms, words: group.words.map { $0.values[0].text })
    }

    private struct Group {
        var terms: [EpisodeExpression.Term] = []
        var words: [Word] = []
        var isEmpty: Bool { terms.isEmpty && words.isEmpty }

        /// The group's terms in a place where words cannot be searched for: there a state needs no `is:`.
        func withoutWords() throws(ExpressionError) -> [EpisodeExpression.Term] {
            var terms = terms
            for word in words {
                guard let state = word.bare.flatMap({ EpisodeCondition.State(rawValue: $0.lowercased()) }) else {
                    let text = word.values[0].text
                    throw ExpressionError(
                        word.column,
                        "'\(text)' is not a condition; words cannot be searched for with 'or' or after 'not'",
                        hint: "write title:\"\(text)\" to search titles, and \"or\" in quotes to search for that word")
                }
                terms.append(.init(.state([state])))
            }
            return terms
        }
    }

    /// Parses the contents of a bracket, or the part outside brackets.
    private mutating func group(until stop: String?, openedAt opening: Int?) throws(ExpressionError) -> Group {
        var alternatives: [[EpisodeExpression.Term]] = []
        var group = Group()
        var joint: Word?
        reading: while true {
            let word = try next()
            let bare = word?.bare?.lowercased()
            guard let word, stop == nil || bare != stop else {
                if let opening {
                    throw ExpressionError(opening, "bracket not closed", hint: "write ) after its last condition")
                }
                if let stop, word == nil {
                    throw ExpressionError(
                        scalars.count + 1, "'\(stop)' missing", hint: "a rule has the form: CONDITIONS \(stop) ACTIONS")
                }
                break reading
            }
            switch bare {
            case ")" where opening != nil: break reading
            case ")":
                throw ExpressionError(word.column, "no bracket is open", hint: "remove the ), or put it in quotes")
            case "or", "and":
                if group.isEmpty || joint != nil { throw Self.misplaced(word) }
                joint = word
                if bare == "or" {
                    alternatives.append(try group.withoutWords())
                    group = Group()
                }
                continue reading
            case "(":
                let inner = try bracket(word)
                group.terms += inner.terms
                group.words += inner.words
            case "not": group.terms.append(try negated(word))
            case _ where word.key == "order" && endsAtOrder && opening == nil:
                order = word
                break reading
            case _ where word.key != nil: group.terms.append(.init(try condition(word)))
            case _:
                if word.values[0].text.isEmpty {
                    throw ExpressionError(word.column, "empty quotes", hint: "remove them")
                }
                try count(word)
                group.words.append(word)
            }
            joint = nil
        }
        if let joint { throw Self.misplaced(joint) }
        if alternatives.isEmpty { return group }
        return Group(terms: [.init(.either(alternatives + [try group.withoutWords()]))])
    }

    private mutating func bracket(_ opening: Word) throws(ExpressionError) -> Group {
        if brackets == EpisodeExpression.maximumDepth {
            throw ExpressionError(
                opening.column, "brackets nested more than \(EpisodeExpression.maximumDepth) deep",
                hint: "remove the inner ones")
        }
        brackets += 1
        let group = try group(until: nil, openedAt: opening.column)
        brackets -= 1
        if group.isEmpty {
            throw ExpressionError(
                opening.column, "empty brackets", hint: "write conditions between them, or put them in quotes")
        }
        return group
    }

    private mutating func negated(_ not: Word) throws(ExpressionError) -> EpisodeExpression.Term {
        let word = try next()
        if let word, word.bare == "(" {
            let terms = try bracket(word).withoutWords()
            if terms.count == 1 { return .init(terms[0].condition, isNegated: !terms[0].isNegated) }
            return .init(.either([terms]), isNegated: true)
        }
        guard let word, word.key != nil else {
            throw ExpressionError(
                not.column, "'not' must be followed by a condition",
                hint: "write 'not title:…', or \"not\" in quotes to search for the word")
        }
        return .init(try condition(word), isNegated: true)
    }

    private static func misplaced(_ joint: Word) -> ExpressionError {
        let text = joint.values[0].text
        return ExpressionError(
            joint.column, "'\(text)' needs a condition before and after it",
            hint: "write \"\(text)\" in quotes to search for the word")
    }

    /// Counts a condition or word towards the limit.
    private mutating func count(_ word: Word) throws(ExpressionError) {
        if conditionCount == EpisodeExpression.maximumTerms {
            throw ExpressionError(
                word.column, "more than \(EpisodeExpression.maximumTerms) conditions", hint: "split it into several")
        }
        conditionCount += 1
    }

    private mutating func condition(_ word: Word) throws(ExpressionError) -> EpisodeCondition {
        try count(word)
        switch word.key {
        case "title":
            return .title(try word.each("invalid pattern", "a part of the title, * for anything") { TitlePattern($0) })
        case "feed":
            return .feed(
                word.values.map { value in
                    let digits = value.text.first == "f" ? value.text.dropFirst() : value.text[...]
                    if !value.isQuoted, let number = Int64(digits), number > 0 { return .id(FeedID(number)) }
                    return .name(value.text)
                })
        case "tag": return .tag(try word.each("invalid tag", "a tag of feeds") { $0.nonEmpty })
        case "longer": return .longer(try word.time())
        case "shorter": return .shorter(try word.time())
        case "older": return .older(try word.age())
        case "newer": return .newer(try word.age())
        case "weekday":
            return .weekday(
                try word.each("unknown day", "mon, tue, wed, thu, fri, sat, sun") {
                    Weekday(rawValue: String($0.lowercased().prefix(3)))
                })
        case "season": return .season(try word.each("invalid season", "a number, or two as in 1..3", Self.season))
        case "type":
            return .kind(
                try word.each("unknown type", "full, trailer, bonus") { EpisodeKind(rawValue: $0.lowercased()) })
        case "is":
            return .state(
                try word.each("unknown state", EpisodeCondition.State.words.joinedText(", ")) {
                    EpisodeCondition.State(rawValue: $0.lowercased())
                })
        case let key:
            throw ExpressionError(
                word.column, "unknown condition '\(key ?? "")'",
                hint:
                    "use title, feed, tag, longer, shorter, older, newer, weekday, season, type or is; quote it to search for "
                    + "the word")
        }
    }

    private static func season(_ text: String) -> ClosedRange<Int>? {
        let parts = text.fields(separatedBy: ".")
        guard let first = Int(parts[0]), first >= 0 else { return nil }
        if parts.count == 1 { return first...first }
        guard parts.count == 3, parts[1].isEmpty, let last = Int(parts[2]), first <= last else { return nil }
        return first...last
    }
}

extension ExpressionReader.Word {
    fileprivate func each<Value>(
        _ what: String, _ hint: String, _ read: (String) -> Value?
    ) throws(ExpressionError) -> [Value] {
        try values.map { (value) throws(ExpressionError) in
            guard let read = read(value.text) else {
                throw ExpressionError(column, "\(key ?? ""): \(what) '\(value.text)'", hint: "use \(hint)")
            }
            return read
        }
    }

    private func only<Value>(
        _ what: String, _ hint: String, _ read: (String) -> Value?
    ) throws(ExpressionError) -> Value {
        guard values.count == 1 else {
            throw ExpressionError(column, "\(key ?? ""): takes one value", hint: "remove the comma")
        }
        return try each(what, hint, read)[0]
    }

    fileprivate func time() throws(ExpressionError) -> MediaTime {
        try only("invalid duration", "whole seconds, as in 10m, 1h30m or 12:34") { text in
            MediaTime(parsing: text).flatMap { $0.nanoseconds % 1_000_000_000 == 0 ? $0 : nil }
        }
    }

    func order() throws(ExpressionError) -> EpisodeOrder {
        try only("unknown order", EpisodeOrder.words.joinedText(", ")) { EpisodeOrder(rawValue: $0.lowercased()) }
    }

    func age() throws(ExpressionError) -> Age {
        try only("invalid age", "an age such as 12h, 30d, 4w or 1y", Age.init(parsing:))
    }

    func number(in range: ClosedRange<Int>) throws(ExpressionError) -> Int {
        try only("invalid number", "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
            Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }
}
