/// How the small copy of a cover is encoded.
public enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg
    /// Portable pixmap, raw, as in ppm(5): pixels for programs that must not decode what others made.
    case ppm

    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .ppm: "image/x-portable-pixmap"
        }
    }

    /// Bytes of a file at most: its Base64 must fit into a line of the protocol.
    public static let mostBytes = 760 << 10

    /// Pixels of the longer side at most. A pixmap has three bytes for each pixel, and must not exceed `mostBytes`.
    public var longestSide: Int {
        switch self {
        case .jpeg: 2048
        case .ppm: 480
        }
    }
}

/// Which small copy of a cover is wanted.
public struct PictureForm: Hashable, Sendable {
    public let format: PictureFormat
    /// Pixels of the longer side.
    public let side: Int

    /// - Parameter side: reduced to the longest side of the format.
    public init(_ format: PictureFormat = .jpeg, side: Int) {
        self.format = format
        self.side = min(side, format.longestSide)
    }
}
