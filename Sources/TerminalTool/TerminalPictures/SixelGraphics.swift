/// Sixels of DEC's VT340: bands of six lines of pixels, one colour after the other.
enum SixelGraphics {
    /// Levels of each of red, green and blue: 216 colours. Terminals have 256 at least.
    private static let levels = 6
    /// Lines of a band.
    private static let bandHeight = 6
    /// Runs of the same sixel from this length on are written as a number.
    private static let shortestRun = 4

    /// Shows pixels from the cursor on.
    static func show(_ picture: PixelPicture) -> [UInt8] {
        let colors = dithered(picture)
        var output = Array("\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)".utf8)
        for color in Set(colors).sorted() { output += definition(of: color) }
        for top in stride(from: 0, to: picture.height, by: bandHeight) {
            let end = min(top + bandHeight, picture.height) * picture.width
            output += band(colors[top * picture.width..<end], width: picture.width)
        }
        return output + Array("\u{1B}\\".utf8)
    }

    /// Red, green and blue of a colour in percent.
    private static func definition(of color: UInt8) -> [UInt8] {
        let (red, green, blue) = (Int(color) / (levels * levels), Int(color) / levels % levels, Int(color) % levels)
        let percent = [red, green, blue].map { "\($0 * 100 / (levels - 1))" }
        return Array("#\(color);2;\(percent.joined(separator: ";"))".utf8)
    }

    /// Up to six lines of pixels.
    private static func band(_ colors: ArraySlice<UInt8>, width: Int) -> [UInt8] {
        var columns: [UInt8: [UInt8]] = [:]
        for (place, color) in colors.enumerated() {
            columns[color, default: [UInt8](repeating: 0, count: width)][place % width] |= 1 << (place / width)
        }
        let lines = columns.sorted { $0.key < $1.key }.map { Array("#\($0.key)".utf8) + runs($0.value) }
        return Array(lines.joined(separator: [UInt8(ascii: "$")])) + [UInt8(ascii: "-")]
    }

    /// Sixels of one colour, without empty sixels at the end.
    private static func runs(_ bits: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        var start = 0
        let end = (bits.lastIndex { $0 != 0 } ?? -1) + 1
        while start < end {
            let next = bits[start..<end].firstIndex { $0 != bits[start] } ?? end
            let sixel = bits[start] + 0x3F
            let count = next - start
            output += count < shortestRun ? [UInt8](repeating: sixel, count: count) : Array("!\(count)".utf8) + [sixel]
            start = next
        }
        return output
    }

    /// The number of a colour for each pixel. The error of a colour is distributed to the pixels after and below it (Floyd and
    /// Steinberg's dithering).
    private static func dithered(_ picture: PixelPicture) -> [UInt8] {
        let rowLength = 3 * picture.width
        var colors: [UInt8] = []
        colors.reserveCapacity(picture.width * picture.height)
        // With one more pixel at each end of the line, so that errors at the ends need no condition.
        var errors = [Int](repeating: 0, count: rowLength + 6)
        for line in 0..<picture.height {
            var below = [Int](repeating: 0, count: rowLength + 6)
            for column in 0..<picture.width {
                var color = 0
                for channel in 0..<3 {
                    let place = 3 * column + channel
                    let wanted = Int(picture.bytes[line * rowLength + place]) + errors[place + 3] / 16
                    let level = min(max((wanted * (levels - 1) + 127) / 255, 0), levels - 1)
                    let off = wanted - level * 255 / (levels - 1)
                    errors[place + 6] += 7 * off
                    below[place] += 3 * off
                    below[place + 3] += 5 * off
                    below[place + 6] += off
                    color = color * levels + level
                }
                colors.append(UInt8(color))
            }
            errors = below
        }
        return colors
    }
}
