internal import CCurses
internal import Glibc

/// Input from the terminal.
public enum CursesInput: Equatable, Sendable {
    /// A typed character; control keys are U+0001 to U+001A, escape is U+001B. `hasAlt`: with Alt or after escape.
    case character(Unicode.Scalar, hasAlt: Bool)
    /// The name of another key, such as `page-up` or `f1`.
    case key(String)
    case pointer(Pointer, line: Int)
    /// Complete pasted text with its line breaks; at most `CursesScreen.longestPaste` characters.
    case paste(String)

    public enum Pointer: String, Sendable, CaseIterable {
        case press, drag, release, wheelUp, wheelDown
    }
}

extension CursesScreen {
    /// Reads the next input without waiting. Returns nil if there is none; always nil after the terminal has disappeared.
    public func nextInput() -> CursesInput? {
        while let (value, isKey) = read() {
            if let text = paste?.take(value, isKey: isKey) {
                paste = nil
                return .paste(text)
            }
            if paste != nil { continue }
            if isKey, value == PasteKey.begin {
                paste = Paste()
            } else if isKey {
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

    /// Reads the rest of a control sequence unknown to curses, such as a late reply, after `ESC [`: ECMA-48, 5.4.
    /// - Returns: false if no parameter follows, so that it is a typed bracket.
    private func skipControlSequence() -> Bool {
        guard let (first, isKey) = read() else { return false }
        guard !isKey, (0x30...0x3F).contains(first) else {
            if isKey {
                ungetch(Int32(bitPattern: first))
            } else if let scalar = Unicode.Scalar(first) {
                for byte in String(scalar).utf8.reversed() { ungetch(Int32(byte)) }
            }
            return false
        }
        while let (next, isKey) = read(), !isKey, !(0x40...0x7E).contains(next) {}
        return true
    }

    /// wgetch(3X): a character or a key code. wget_wch(3X) loses the beginning of an incomplete character.
    private func read() -> (value: UInt32, isKey: Bool)? {
        while true {
            let code = unsafe wgetch(shim_window())
            guard code >= 0 else { return nil }
            guard let byte = UInt8(exactly: code) else { return (UInt32(code), true) }
            if let scalar = partial.take(byte) { return (scalar.value, false) }
        }
    }

    private func input(forKey code: UInt32) -> CursesInput? {
        let code = Int32(bitPattern: code)
        if code == KEY_MOUSE { return pointer() }
        let number = (1...12).first { code == shim_function_key(Int32($0)) }
        return (Self.keys[code] ?? number.map { "f\($0)" }).map { .key($0) }
    }

    private static let keys = [
        KEY_UP: "up", KEY_DOWN: "down", KEY_LEFT: "left", KEY_RIGHT: "right", KEY_PPAGE: "page-up",
        KEY_NPAGE: "page-down", KEY_HOME: "home", KEY_END: "end", KEY_ENTER: "enter", KEY_BTAB: "back-tab",
        KEY_BACKSPACE: "backspace", KEY_DC: "delete", KEY_IC: "insert",
    ]

    private func pointer() -> CursesInput? {
        var event = MEVENT()
        guard unsafe getmouse(&event) == OK else { return nil }
        let buttons: [(Int32, CursesInput.Pointer)] = [
            (shim_is_press(event.bstate), .press), (shim_is_release(event.bstate), .release),
            (shim_is_wheel_up(event.bstate), .wheelUp), (shim_is_wheel_down(event.bstate), .wheelDown),
        ]
        let kind = buttons.first { $0.0 != 0 }?.1 ?? .drag
        return .pointer(kind, line: Int(event.y))
    }
}

/// Codes of the sequences that enclose pasted text, above the codes of curses and of the terminal's own keys.
enum PasteKey {
    static let begin: UInt32 = 0x7F00
    static let end: UInt32 = 0x7F01
}

struct Paste {
    private var text = String.UnicodeScalarView()
    private var room = CursesScreen.longestPaste

    /// Adds input, up to `CursesScreen.longestPaste` characters. Returns the text if this input ended the paste.
    mutating func take(_ value: UInt32, isKey: Bool) -> String? {
        if isKey { return value == PasteKey.end ? String(text) : nil }
        if room > 0, let scalar = Unicode.Scalar(value) {
            text.append(scalar)
            room -= 1
        }
        return nil
    }
}

struct PartialCharacter {
    private var bytes: [UInt8] = []

    /// Adds a byte of UTF-8. Returns the completed character, if any; U+FFFD for bytes that are not UTF-8.
    mutating func take(_ byte: UInt8) -> Unicode.Scalar? {
        if byte & 0xC0 != 0x80 { bytes = [] }
        bytes.append(byte)
        let length = bytes[0] < 0x80 ? 1 : bytes[0] >= 0xF0 ? 4 : bytes[0] >= 0xE0 ? 3 : bytes[0] >= 0xC0 ? 2 : 1
        guard bytes.count >= length else { return nil }
        return String(decoding: exchange(&bytes, with: []), as: UTF8.self).unicodeScalars.first
    }
}
