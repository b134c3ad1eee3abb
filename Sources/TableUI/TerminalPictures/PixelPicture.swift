/// Pixels of red, green and blue.
public struct PixelPicture: Equatable, Sendable {
    public let width: Int
    public let height: Int
    /// Three bytes for each pixel, line after line.
    let bytes: [UInt8]

    /// Maximum number of pixels of a side.
    private static let longestSide = 1024

    /// Reads a raw pixmap of 8 bits as in ppm(5), without comments.
    ///
    /// - Returns: nil if the bytes are not such a pixmap, are incomplete, or have more than 1024 pixels on a side.
    public init?(pixmap: [UInt8]) {
        let head = pixmap.prefix(20).split(maxSplits: 4, omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ")
        }
        let words = head.prefix(4).map { String(decoding: $0, as: UTF8.self) }
        guard head.count == 5, words[0] == "P6", words[3] == "255", let width = Int(words[1]),
            let height = Int(words[2]), (1...Self.longestSide).contains(width), (1...Self.longestSide).contains(height)
        else { return nil }
        let pixels = pixmap[head[4].startIndex...]
        guard pixels.count == 3 * width * height else { return nil }
        (self.width, self.height, bytes) = (width, height, Array(pixels))
    }
}
