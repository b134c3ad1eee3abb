/// A time in several words, as in `seek +1 minute`, `sleep 1h 30m` and `seek 50 %`.
struct SpokenTime {
    /// The time as one word: `+1m`, `1h30m`, `50%`.
    let text: String
    /// The words after it.
    let rest: ArraySlice<String>

    /// Nil if the words do not begin with a time.
    init?(_ words: ArraySlice<String>) {
        var (text, rest) = ("", words)
        while let word = rest.first {
            if text.isEmpty || Self.isPart(text), Self.isPart(word), text.isEmpty || Self.isUnsigned(word) {
                text += word
                rest.removeFirst()
            } else if Self.isNumber(word), text.isEmpty || Self.isPart(text),
                let unit = rest.dropFirst().first.flatMap(Self.letter)
            {
                text += word + unit
                rest.removeFirst(2)
            } else {
                break
            }
        }
        // A number alone is in seconds, and a time with colons is one word already.
        if text.isEmpty, let word = rest.first, Self.isTime(word) {
            text = word
            rest.removeFirst()
        }
        if text.isEmpty { return nil }
        (self.text, self.rest) = (text, rest)
    }

    /// `5m`, `+1h30m`
    private static func isPart(_ word: String) -> Bool {
        guard let last = word.last, "hms".contains(last) else { return false }
        return word.dropFirst(isUnsigned(word) ? 0 : 1).allSatisfy { $0.isASCII && ($0.isNumber || "hms".contains($0)) }
            && word.contains(where: \.isNumber)
    }

    private static func isUnsigned(_ word: String) -> Bool { word.first != "+" && word.first != "-" }

    /// `5`, `+5`
    private static func isNumber(_ word: String) -> Bool {
        let digits = word.dropFirst(isUnsigned(word) ? 0 : 1)
        return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// `90`, `1:30`, `+10%`
    private static func isTime(_ word: String) -> Bool {
        let body = word.dropFirst(isUnsigned(word) ? 0 : 1)
        return body.first?.isNumber == true && body.allSatisfy { $0.isASCII && ($0.isNumber || ":.%".contains($0)) }
    }

    private static func letter(_ unit: String) -> String? {
        switch unit {
        case "s", "sec", "second", "seconds": "s"
        case "m", "min", "mins", "minute", "minutes": "m"
        case "h", "hour", "hours": "h"
        case "%", "percent": "%"
        default: nil
        }
    }
}
