internal import CLibedit
internal import SystemCalls

/// A line of the terminal that is edited, with history: editline(7). One thread.
@safe public final class LineEditor {
    /// Maximum lines of the history.
    private static let historySize: Int32 = 500
    private static let mostListed = 40
    /// The end of a bracketed paste.
    private static let pasteEnd = Array("\u{1B}[201~".unicodeScalars)

    private let editor: OpaquePointer
    private let history: OpaquePointer
    /// editline requests this text by a function; the same memory for its whole life.
    private let prompt: UnsafeMutablePointer<CChar>
    private let promptWidth: Int
    private let nextByte: () -> UInt8?
    /// The byte that followed an incomplete character.
    private var unusedByte: UInt8?
    private let complete: (String) -> (replaced: Int, candidates: [String])
    /// True if ^C ended the last line.
    public private(set) var isDiscarded = false

    /// - Parameters:
    ///   - program: selects the section of `~/.editrc`.
    ///   - nextByte: waits for a byte of standard input; nil at its end.
    ///   - complete: gets the text before the cursor when Tab is pressed. Returns the number of characters before the cursor that a
    ///     candidate replaces, and the candidates with quotation marks where needed.
    public init(
        program: String, prompt: String, nextByte: @escaping () -> UInt8?,
        complete: @escaping (String) -> (replaced: Int, candidates: [String])
    ) throws(TerminalFailure) {
        guard let editor = unsafe shim_editor(program) else {
            throw TerminalFailure(description: "the line editor cannot use this terminal")
        }
        guard let history = unsafe history_init() else {
            unsafe el_end(editor)
            throw TerminalFailure(description: "no memory for the history")
        }
        (unsafe self.editor, unsafe self.history) = unsafe (editor, history)
        self.nextByte = nextByte
        self.complete = complete
        promptWidth = prompt.count
        let bytes = Array(prompt.utf8CString)
        unsafe self.prompt = .allocate(capacity: bytes.count)
        unsafe self.prompt.initialize(from: bytes, count: bytes.count)
        _ = unsafe shim_history_size(history, Self.historySize)
        // The editor does not outlive this object, and calls its functions only within `readLine`.
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        let failed = unsafe shim_prepare(
            editor, own, { editor in unsafe LineEditor.of(editor)?.prompt },
            { editor, character in
                guard let character = unsafe character, let own = unsafe LineEditor.of(editor) else { return -1 }
                guard let scalar = own.nextScalar() else { return 0 }
                unsafe character.pointee = wchar_t(truncatingIfNeeded: scalar.value)
                return 1
            },
            { editor, _ in unsafe LineEditor.of(editor)?.completeName() ?? shim_refused() },
            { editor, _ in unsafe LineEditor.of(editor)?.insertPaste() ?? shim_refused() },
            { editor, _ in unsafe LineEditor.of(editor)?.discardLine() ?? shim_refused() }, history)
        if failed != 0 { throw TerminalFailure(description: "the line editor cannot use this terminal") }
        _ = unsafe el_source(editor, nil)
    }

    deinit {
        unsafe el_end(editor)
        unsafe history_end(history)
        unsafe prompt.deallocate()
    }

    private static func of(_ editor: OpaquePointer?) -> LineEditor? {
        guard let editor = unsafe editor, let data = unsafe shim_client_data(editor) else { return nil }
        return unsafe Unmanaged<LineEditor>.fromOpaque(data).takeUnretainedValue()
    }

    // MARK: lines

    /// Lets the user edit a line. Returns the line without its end; nil at the end of the input.
    public func readLine() -> String? {
        isDiscarded = false
        var count: Int32 = 0
        guard let bytes = unsafe shim_line(editor, &count), count > 0 else { return isDiscarded ? "" : nil }
        var line = unsafe String(cString: bytes)
        while line.last?.isNewline == true { line.removeLast() }
        return line
    }

    /// Adds a line to the history, for Up and ^R.
    public func remember(_ line: String) { _ = unsafe shim_remember(history, line) }

    /// Prints a line above the edited line, within `nextByte`.
    public func printAbove(_ line: String) { redraw(below: line + "\n") }

    /// Adopts the terminal's new size, within `nextByte`.
    public func resize() {
        unsafe el_resize(editor)
        redraw(below: "")
    }

    /// Draws the edited line again, from the first of its rows on.
    private func redraw(below text: String) {
        let width = promptWidth + TerminalText.width(of: textBeforeCursor)
        let rows = width / max(1, TerminalText.columns(of: 1) ?? 80)
        unsafe shim_print((rows > 0 ? "\u{1B}[\(rows)A" : "") + "\r\u{1B}[J" + text)
        unsafe shim_refresh(editor)
    }

    // MARK: input

    private func nextScalar() -> Unicode.Scalar? {
        guard let first = unusedByte ?? nextByte() else { return nil }
        unusedByte = nil
        var bytes = [first]
        let length = first < 0xC2 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 1
        while bytes.count < length, let next = nextByte() {
            guard next & 0xC0 == 0x80 else {
                unusedByte = next
                break
            }
            bytes.append(next)
        }
        return String(decoding: bytes, as: UTF8.self).unicodeScalars.first
    }

    /// Inserts pasted text. Line breaks and control characters become spaces, so that nothing is run before Enter.
    private func insertPaste() -> UInt8 {
        var scalars: [Unicode.Scalar] = []
        while let scalar = nextScalar() {
            scalars.append(scalar)
            if scalars.suffix(Self.pasteEnd.count) == Self.pasteEnd[...] {
                scalars.removeLast(Self.pasteEnd.count)
                break
            }
        }
        let parts = scalars.split { $0.properties.generalCategory == .control }
        let text = parts.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
        return unsafe el_insertstr(editor, text) == 0 ? shim_changed() : shim_refused()
    }

    private func discardLine() -> UInt8 {
        isDiscarded = true
        unsafe shim_print("^C\n")
        return shim_ended()
    }

    // MARK: completion

    private var textBeforeCursor: String {
        guard let line = unsafe el_line(editor)?.pointee, let start = unsafe line.buffer,
            let cursor = unsafe line.cursor
        else { return "" }
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: cursor - start)
        return unsafe String(decoding: bytes, as: UTF8.self)
    }

    private func completeName() -> UInt8 {
        let completion = complete(textBeforeCursor)
        guard let first = completion.candidates.first else { return shim_refused() }
        let common = completion.candidates.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        if completion.candidates.count == 1 || common.count > completion.replaced {
            // editline counts scalars.
            let replaced = textBeforeCursor.suffix(completion.replaced).unicodeScalars.count
            unsafe el_deletestr(editor, Int32(replaced))
            _ = unsafe el_insertstr(editor, completion.candidates.count == 1 ? common + " " : common)
            return shim_changed()
        }
        let listed = completion.candidates.prefix(Self.mostListed)
        let others = completion.candidates.count - listed.count
        unsafe shim_print("\n" + listed.map { $0 + "\n" }.joined() + (others > 0 ? "\(others) more\n" : ""))
        return shim_refreshed()
    }
}

extension String {
    /// The common prefix, ignoring case.
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
}
