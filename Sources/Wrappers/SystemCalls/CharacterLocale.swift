internal import CLinux
internal import Glibc

/// Character handling of the C library: setlocale(3), `LC_CTYPE`.
public enum CharacterLocale {
    // An address as a number, because a locale_t is a pointer; loaded once, never freed. 0 without C.UTF-8.
    private static let utf8: UInt = unsafe UInt(bitPattern: shim_character_locale("C.UTF-8"))

    /// Runs a body with `C.UTF-8` on the calling thread, independent of the program's locale: uselocale(3).
    public static func withUTF8<Result, Failure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let locale = unsafe locale_t(bitPattern: utf8) else { return try body() }
        let before = unsafe uselocale(locale)
        defer { _ = unsafe uselocale(before) }
        return try body()
    }
}
