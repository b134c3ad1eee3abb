internal import CLinux
internal import Glibc

/// Width of text on a terminal, in columns.
public enum TerminalText {
    // An address as a number, because a locale_t is a pointer; loaded once, never freed. 0 if the system has no
    // C.UTF-8: then every character counts as one column.
    private static let locale: UInt = unsafe UInt(bitPattern: shim_character_locale("C.UTF-8"))

    /// Columns of a character: 0 for combining marks and control characters, 2 for wide East Asian ones: wcwidth(3).
    public static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
        guard let locale = unsafe locale_t(bitPattern: locale) else { return 1 }
        return max(0, Int(unsafe shim_wcwidth(wchar_t(bitPattern: scalar.value), locale)))
    }

    /// Columns of a text; line breaks count 0.
    public static func width(of text: String) -> Int {
        var text = text
        let plain: Int? = text.withUTF8 { bytes in
            unsafe bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F } ? bytes.count : nil
        }
        return plain ?? text.unicodeScalars.reduce(0) { $0 + width(of: $1) }
    }

    /// Columns of a descriptor's terminal: ioctl(2) `TIOCGWINSZ`. Nil without a terminal or if unknown.
    public static func columns(of descriptor: Int32) -> Int? {
        let columns = Int(shim_terminal_columns(descriptor))
        return columns > 0 ? columns : nil
    }

    /// Columns and lines of a descriptor's terminal; nil without a terminal or if unknown.
    public static func size(of descriptor: Int32) -> (columns: Int, lines: Int)? {
        guard let columns = columns(of: descriptor) else { return nil }
        let lines = Int(shim_terminal_lines(descriptor))
        return lines > 0 ? (columns, lines) : nil
    }

    /// Pixels of a character cell of a descriptor's terminal; nil if unknown.
    public static func cell(of descriptor: Int32) -> (width: Int, height: Int)? {
        let (width, height) = (Int(shim_cell_width(descriptor)), Int(shim_cell_height(descriptor)))
        return width > 0 && height > 0 ? (width, height) : nil
    }
}
