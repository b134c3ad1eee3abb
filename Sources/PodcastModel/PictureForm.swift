/// Encoding of a cover's small copy.
public enum PictureFormat: String, Sendable, CaseIterable {
    case jpeg
    /// Raw portable pixmap, ppm(5): pixels for programs that must not decode untrusted pictures.
    case ppm

    public var mediaType: String {
        switch self {
        case .jpeg: "image/jpeg"
        case .ppm: "image/x-portable-pixmap"
        }
    }

    /// Maximum bytes of a file: its Base64 must fit in a line of the protocol.
    public static let mostBytes = 760 << 10

    /// Maximum pixels of the longer side. A pixmap has three bytes per pixel and must not exceed `mostBytes`.
    public var longestSide: Int {
        switch self {
        case .jpeg: 2048
        case .ppm: 480
        }
    }
}

/// The requested small copy of a cover.
public struct PictureForm: Hashable, Sendable {
    public let format: PictureFormat
    /// Pixels of the longer side.
    public let side: Int

    /// - Parameter side: clamped to the longest side of the format.
    public init(_ format: PictureFormat = .jpeg, side: Int) {
        self.format = format
        self.side = min(side, format.longestSide)
    }
}
