/// A colour in a configuration or theme.
enum TerminalColor: Equatable {
    /// -1 for the terminal's own; 0 to 255 as xterm has them.
    case indexed(Int32)
    case direct(red: Int32, green: Int32, blue: Int32)

    /// Colours of a terminal that takes red, green and blue.
    static let directColors = 1 << 24
    /// The steps of a channel in the 6 × 6 × 6 colours from 16 on.
    private static let steps: [Int32] = [0, 95, 135, 175, 215, 255]

    /// `-1` to `255`, or `#RRGGBB`.
    init?(_ text: Substring) {
        if let number = Int32(text), (-1...255).contains(number) {
            self = .indexed(number)
        } else if text.first == "#", text.utf8.count == 7, text.dropFirst().allSatisfy(\.isHexDigit),
            let number = Int32(text.dropFirst(), radix: 16)
        {
            self = .direct(red: number >> 16, green: number >> 8 & 0xFF, blue: number & 0xFF)
        } else {
            return nil
        }
    }

    /// The number of this colour, or of the nearest one, on a terminal with this many colours.
    func number(among colors: Int) -> Int32 {
        switch self {
        case .indexed(let number):
            if colors < Self.directColors || number < 8 { return number }
            let (red, green, blue) = Self.channels(of: number)
            return red << 16 | green << 8 | blue
        case .direct(let red, let green, let blue):
            // Direct colours below 8 are the eight basic ones: the nearest other black is as good.
            if colors >= Self.directColors { return max(8, red << 16 | green << 8 | blue) }
            let candidates: ClosedRange<Int32> = colors >= 256 ? 16...255 : 0...Int32(max(0, min(colors, 16) - 1))
            return candidates.min { distance(to: $0) < distance(to: $1) } ?? -1
        }
    }

    private func distance(to number: Int32) -> Int32 {
        guard case .direct(let red, let green, let blue) = self else { return 0 }
        let other = Self.channels(of: number)
        let (r, g, b) = (red - other.red, green - other.green, blue - other.blue)
        // Eyes tell greens apart best.
        return 2 * r * r + 4 * g * g + 3 * b * b
    }

    private static func channels(of number: Int32) -> (red: Int32, green: Int32, blue: Int32) {
        if number >= 232 {
            let gray = 8 + (number - 232) * 10
            return (gray, gray, gray)
        }
        if number >= 16 {
            let index = Int(number) - 16
            return (steps[index / 36], steps[index / 6 % 6], steps[index % 6])
        }
        let full: Int32 = number >= 8 ? 255 : 170
        let base: Int32 = number == 8 ? 85 : 0
        return (
            number & 1 != 0 ? full : base, number & 2 != 0 ? full : base, number & 4 != 0 ? full : base
        )
    }
}
