internal import CQRencode

/// A text as a QR code with error correction of level M.
public struct QRCode: Equatable, Sendable {
    /// Modules in a row, without the quiet zone of four modules that has to surround the code.
    public let size: Int
    /// The dark modules as an SVG path, one unit for each module.
    public let outline: String

    private static let library = unsafe shim_load_qrencode_functions()?.pointee

    /// Nil for a text of more than about 2,300 bytes or with a zero byte, and without libqrencode.
    public init?(_ text: String) {
        if text.utf8.contains(0) { return nil }
        guard let library = Self.library,
            let code = unsafe library.QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M)
        else { return nil }
        defer { unsafe library.QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        let modules = unsafe UnsafeBufferPointer(start: code.pointee.data, count: width * width)
        size = width
        // The lowest bit of a module is set if the module is dark.
        outline = modules.indices.filter { unsafe modules[$0] & 1 != 0 }
            .map { "M\($0 % width) \($0 / width)h1v1h-1z" }.joined()
    }
}
