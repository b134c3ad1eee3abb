internal import CCurses
internal import Glibc

/// Input from the terminal.
public enum CursesInput: Equatable, Sendable {
    /// A character that was typed; control keys are U+0001 to U+001A, escape is U+001B. `hasAlt`: with Alt or after escape.
    case character(Unicode.Scalar, hasAlt: Bool)
    case key(Key)
    /// F1 to F12.
    case function(Int)
    case pointer(Pointer, column: Int, line: Int)

    public enum Key: Sendable {
        case up
        case down
        case left
        case right
        case pageUp
        case pageDown
        case home
        case end
        case enter
        case backTab
        case backspace
        case delete
        case insert
    }

    public enum Pointer: Sendable {
        case press
        case drag
        case release
        case wheelUp
        case wheelDown
    }
}

extension CursesScreen {
    /// Reads the next input without waiting.
    ///
    /// - Returns: nil if nothing has come. At a terminal that has disappeared nothing comes any more.
    public func nextInput() -> CursesInput? {
        while let (value, isKey) = read() {
            if isKey {
                if let input = input(forKey: value) { return input }
            } else if value == 0x1B, let (next, isKey) = read() {
                if !isKey, next == 0x5B, skipControlSequence() { continue }
                if !isKey, let scalar = Unicode.Scalar(next) { return .character(scalar, hasAlt: true) }
                if isKey, let input = input(forKey: next) { return input }
            } else if let scalar = Unicode.Scalar(value) {
                return .character(scalar, hasAlt: false)
            }
        }
        return nil
    }

    /// Reads the rest of a control sequence that curses does not know, such as an answer that comes late, after `ESC [`: ECMA-48, 5.4.
    ///
    /// - Returns: false if no parameter follows, so that it is a bracket that was typed.
    private func skipControlSequence() -> Bool {
        guard let (first, isKey) = read() else { return false }
        guard !isKey, (0x30...0x3F).contains(first) else {
            _ = isKey ? ungetch(Int32(bitPattern: first)) : unget_wch(wchar_t(bitPattern: first))
            return false
        }
        while let (next, isKey) = read(), !isKey, !(0x40...0x7E).contains(next) {}
        return true
    }

    /// wget_wch(3X): a character, or the code of a key.
    private func read() -> (value: UInt32, isKey: Bool)? {
        var value = wint_t()
        switch unsafe wget_wch(shim_window(), &value) {
        case OK: return (value, false)
        case KEY_CODE_YES: return (value, true)
        case _: return nil
        }
    }

    private func input(forKey code: UInt32) -> CursesInput? {
        let code = Int32(bitPattern: code)
        switch code {
        case KEY_UP: return .key(.up)
        case KEY_DOWN: return .key(.down)
        case KEY_LEFT: return .key(.left)
        case KEY_RIGHT: return .key(.right)
        case KEY_PPAGE: return .key(.pageUp)
        case KEY_NPAGE: return .key(.pageDown)
        case KEY_HOME: return .key(.home)
        case KEY_END: return .key(.end)
        case KEY_ENTER: return .key(.enter)
        case KEY_BTAB: return .key(.backTab)
        case KEY_BACKSPACE: return .key(.backspace)
        case KEY_DC: return .key(.delete)
        case KEY_IC: return .key(.insert)
        case KEY_MOUSE: return pointer()
        case _: return (1...12).first { code == shim_function_key(Int32($0)) }.map { .function($0) }
        }
    }

    private func pointer() -> CursesInput? {
        var event = MEVENT()
        guard unsafe getmouse(&event) == OK else { return nil }
        let kind: CursesInput.Pointer =
            if shim_is_press(event.bstate) != 0 {
                .press
            } else if shim_is_release(event.bstate) != 0 {
                .release
            } else if shim_is_wheel_up(event.bstate) != 0 {
                .wheelUp
            } else if shim_is_wheel_down(event.bstate) != 0 {
                .wheelDown
            } else {
                .drag
            }
        return .pointer(kind, column: Int(event.x), line: Int(event.y))
    }
}
