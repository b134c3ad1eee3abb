internal import CLinux
internal import Glibc

/// Width of text on a terminal, in columns.
public enum TerminalText {
    /// Columns of a character: 0 for combining marks and control characters, 2 for wide East Asian ones: wcwidth(3).
    public static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return scalar.value < 0x20 ? 0 : 1 }
        // Without C.UTF-8 every character counts as one column.
        guard let locale = unsafe CharacterLocale.utf8 else { return 1 }
        return max(0, Int(unsafe shim_wcwidth(wchar_t(truncatingIfNeeded: scalar.value), locale)))
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
        let columns = Int(shim_window_size(descriptor).ws_col)
        return columns > 0 ? columns : nil
    }

    /// Columns and lines of a descriptor's terminal; nil without a terminal or if unknown.
    public static func size(of descriptor: Int32) -> (columns: Int, lines: Int)? {
        let size = shim_window_size(descriptor)
        return size.ws_row > 0 && size.ws_col > 0 ? (Int(size.ws_col), Int(size.ws_row)) : nil
    }

    /// Pixels of a character cell of a descriptor's terminal; nil if unknown.
    public static func cell(of descriptor: Int32) -> (width: Int, height: Int)? {
        let size = shim_window_size(descriptor)
        guard size.ws_col > 0, size.ws_row > 0 else { return nil }
        let width = Int(size.ws_xpixel / size.ws_col)
        let height = Int(size.ws_ypixel / size.ws_row)
        return width > 0 && height > 0 ? (width, height) : nil
    }
}

/// Character handling of the C library: setlocale(3), `LC_CTYPE`.
public enum CharacterLocale {
    // An address as a number, because a locale_t is a pointer; loaded once, never freed. 0 without C.UTF-8.
    private static let address: UInt = unsafe UInt(bitPattern: shim_character_locale("C.UTF-8"))

    static var utf8: locale_t? { unsafe locale_t(bitPattern: address) }

    /// Runs a body with `C.UTF-8` on the calling thread, independent of the program's locale: uselocale(3).
    public static func withUTF8<Result, Failure>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        guard let locale = unsafe utf8 else { return try body() }
        let before = unsafe uselocale(locale)
        defer { _ = unsafe uselocale(before) }
        return try body()
    }
}
