/// A line from podcast-output to podcastd.
public enum OutputReport: Equatable, Sendable {
    /// Why it cannot play now.
    case waits(String)
    /// It can play. `pace` is how many seconds of sound count as heard in a second.
    case plays(pace: Double)

    private static let highestPace = 16.0

    /// Reads a line without its line break; a pace without an allocation.
    /// - Returns: nil for anything else.
    public init?(_ line: UnsafeRawBufferPointer) {
        if line.starts(with: Self.plays.utf8) {
            guard let pace = Self.pace(line.dropFirst(Self.plays.utf8.count)), (0...Self.highestPace).contains(pace)
            else { return nil }
            self = .plays(pace: pace)
        } else if line.starts(with: Self.waits.utf8), line.count > Self.waits.utf8.count {
            self = .waits(
                SafeText.line(String(decoding: line.dropFirst(Self.waits.utf8.count), as: UTF8.self), atMost: 300))
        } else {
            return nil
        }
    }

    private static let waits = "waits "
    private static let plays = "plays "

    /// A decimal number of few digits.
    private static func pace(_ text: Slice<UnsafeRawBufferPointer>) -> Double? {
        guard (1...9).contains(text.count) else { return nil }
        var value = 0.0
        var unit = 1.0
        var isFraction = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = value * 10 + Double(byte - UInt8(ascii: "0"))
                if isFraction { unit *= 10 }
            case UInt8(ascii: ".") where !isFraction: isFraction = true
            case _: return nil
            }
        }
        return value / unit
    }

    /// Without a line break.
    public var line: String {
        switch self {
        case .waits(let reason): Self.waits + SafeText.line(reason, atMost: 300)
        case .plays(let pace): Self.plays + "\(pace)"
        }
    }
}
