internal import CQRencode

/// A text as a QR code with error correction of level M.
public struct QRCode: Equatable, Sendable {
    /// Modules in a row, without the quiet zone of four modules that has to surround the code.
    public let size: Int
    /// Whether a module is dark, row after row.
    private let isDark: [Bool]

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
        isDark = unsafe modules.map { $0 & 1 != 0 }
    }

    /// The dark modules as an SVG path, one unit for each module.
    public var outline: String {
        isDark.indices.filter { isDark[$0] }.map { "M\($0 % size) \($0 / size)h1v1h-1z" }.joined()
    }

    /// The code with its quiet zone, two rows of modules in a line, for black on white.
    public var lines: [String] {
        let quiet = 4
        let end = size + quiet
        func isDark(_ row: Int, _ column: Int) -> Bool {
            (0..<size).contains(row) && (0..<size).contains(column) && self.isDark[row * size + column]
        }
        return stride(from: -quiet, to: end, by: 2).map { row in
            (-quiet..<end).map { column in
                switch (isDark(row, column), isDark(row + 1, column)) {
                case (true, true): "█"
                case (true, false): "▀"
                case (false, true): "▄"
                case (false, false): " "
                }
            }.joined()
        }
    }
}
