/// A line from podcast-output to podcastd.
public enum OutputReport: Equatable, Sendable {
    /// Why it cannot play now.
    case waits(String)
    /// It can play. `pace` is how many seconds of sound count as heard in a second.
    case plays(pace: Double)

    private static let highestPace = 16.0

    /// - Returns: nil for anything else.
    public init?(line: String) {
        let words = line.split(separator: " ", maxSplits: 1)
        switch (words.first, words.count) {
        case ("waits", 2): self = .waits(SafeText.line(String(words[1]), atMost: 300))
        case ("plays", 2):
            guard let pace = Double(words[1]), (0...Self.highestPace).contains(pace) else { return nil }
            self = .plays(pace: pace)
        case _: return nil
        }
    }

    /// Without a line break.
    public var line: String {
        switch self {
        case .waits(let reason): "waits \(SafeText.line(reason, atMost: 300))"
        case .plays(let pace): "plays \(pace)"
        }
    }
}
