internal import CCurses
internal import Glibc

/// Why a terminal cannot be used.
public struct TerminalFailure: Error, CustomStringConvertible {
    public let description: String
}

/// Colours of cells.
public struct CellLook: Hashable, Sendable {
    /// A colour's number; with direct colours: red, green and blue in a byte each; -1 for the terminal's default.
    public var foreground: Int32 = -1
    public var background: Int32 = -1
    public var isBold = false
    public var isDim = false
    public var isReversed = false
    public var isUnderlined = false

    public init() {}
}

/// The terminal of standard input and output in full-screen mode, from `init` to `end`. One thread.
@safe public final class CursesScreen {
    private let screen: OpaquePointer
    private var pairs: [Int64: Int16] = [:]
    private var isEnded = false
    /// Text that is being pasted.
    var paste: Paste?
    var partial = PartialCharacter()

    static let longestPaste = 64 << 10

    /// newterm(3X).
    /// - Throws: `TerminalFailure` if the type of the terminal is unknown, or if it cannot move its cursor.
    public init() throws(TerminalFailure) {
        guard shim_use_utf8() != 0 else { throw TerminalFailure(description: "the system has no UTF-8 locale") }
        guard let screen = unsafe shim_newterm() else {
            throw TerminalFailure(description: "the terminal's kind is not known, or it cannot move its cursor")
        }
        unsafe self.screen = screen
        _ = unsafe set_term(screen)
        // Control keys are normal keys: the program handles ^C and ^Z.
        raw()
        noecho()
        nonl()
        let window = unsafe shim_window()
        unsafe keypad(window, true)
        unsafe nodelay(window, true)
        unsafe leaveok(window, false)
        _ = set_escdelay(25)
        _ = mousemask(shim_mouse_mask(), nil)
        mouseinterval(0)
        if has_colors() {
            start_color()
            use_default_colors()
        }
        _ = unsafe define_key("\u{1B}[200~", Int32(PasteKey.begin))
        _ = unsafe define_key("\u{1B}[201~", Int32(PasteKey.end))
        reportExtras(true)
    }

    /// Enables or disables reports of drags, and marks around pasted text.
    private func reportExtras(_ isOn: Bool) {
        shim_report_drags(isOn ? 1 : 0)
        shim_bracket_pastes(isOn ? 1 : 0)
    }

    deinit { end() }

    public func end() {
        if isEnded { return }
        isEnded = true
        reportExtras(false)
        endwin()
        unsafe delscreen(screen)
    }

    public var columns: Int { Int(shim_columns()) }
    public var lines: Int { Int(shim_lines()) }
    /// Number of colours: 0, 8, 16, 256 or 16,777,216.
    public var colors: Int { has_colors() ? Int(shim_colors()) : 0 }

    /// Leaves full-screen mode until `resume`.
    public func suspend() {
        reportExtras(false)
        endwin()
    }

    /// Returns to full-screen mode and draws everything again.
    public func resume() {
        reportExtras(true)
        unsafe clearok(shim_window(), true)
        unsafe wrefresh(shim_window())
    }

    /// Adopts the terminal's new size.
    public func resize(columns: Int, lines: Int) {
        _ = resizeterm(Int32(clamping: lines), Int32(clamping: columns))
        unsafe clearok(shim_window(), true)
    }

    public func clear(line: Int) {
        let window = unsafe shim_window()
        unsafe wmove(window, Int32(clamping: line), 0)
        unsafe wattr_set(window, 0, 0, nil)
        unsafe wclrtoeol(window)
    }

    /// Writes text, which must not contain control characters, into the cells from a column on.
    public func put(_ text: String, line: Int, column: Int, _ look: CellLook) {
        let window = unsafe shim_window()
        unsafe wmove(window, Int32(clamping: line), Int32(clamping: column))
        var attributes = attr_t(0)
        if look.isBold { attributes |= shim_bold() }
        if look.isDim { attributes |= shim_dim() }
        if look.isReversed { attributes |= shim_reverse() }
        if look.isUnderlined { attributes |= shim_underline() }
        unsafe wattr_set(window, attributes, pair(look.foreground, look.background), nil)
        unsafe waddnstr(window, text, Int32(clamping: text.utf8.count))
    }

    /// Sends bytes that curses does not know, with the cursor on a cell. Restores the cursor.
    public func send(_ bytes: [UInt8], line: Int, column: Int) {
        // DECSC, CUP, DECRC.
        let message = Array("\u{1B}7\u{1B}[\(line + 1);\(column + 1)H".utf8) + bytes + Array("\u{1B}8".utf8)
        unsafe message.withUnsafeBufferPointer { unsafe shim_send($0.baseAddress, $0.count) }
    }

    /// Sends changes to the terminal, and shows the text cursor at a place or hides it.
    public func show(caret: (line: Int, column: Int)?) {
        let window = unsafe shim_window()
        if let caret {
            curs_set(1)
            unsafe wmove(window, Int32(clamping: caret.line), Int32(clamping: caret.column))
        } else {
            curs_set(0)
        }
        unsafe wrefresh(window)
    }

    /// The number of a pair of colours, created on first use; 0, the terminal's default, if there are no more.
    private func pair(_ foreground: Int32, _ background: Int32) -> Int16 {
        if foreground < 0 && background < 0 || !has_colors() { return 0 }
        let key = Int64(foreground) << 32 | Int64(UInt32(bitPattern: background))
        if let pair = pairs[key] { return pair }
        let number = pairs.count + 1
        guard number < min(Int(shim_color_pairs()), Int(Int16.max)) else { return 0 }
        guard init_extended_pair(Int32(number), foreground, background) == OK else { return 0 }
        pairs[key] = Int16(number)
        return Int16(number)
    }
}
