internal import CLibedit

/// editline cannot use this terminal.
public struct LineEditingFailure: Error, CustomStringConvertible {
    public let description: String
}

/// What may follow the text before the cursor.
public struct LineCompletion: Equatable, Sendable {
    /// Characters before the cursor that a candidate replaces.
    public var replaced: Int
    /// As they are typed, with quotation marks where they need them.
    public var candidates: [String]

    public init(replaced: Int, candidates: [String]) {
        self.replaced = replaced
        self.candidates = candidates
    }
}

/// A line of the terminal that is edited, with history: editline(7). One thread.
@safe public final class LineEditor {
    /// Lines that the history keeps.
    private static let historySize: Int32 = 500
    /// More candidates than these are not listed.
    private static let mostListed = 40

    private let editor: OpaquePointer
    private let history: OpaquePointer
    /// The text that editline asks for by a function; the same memory for its whole life.
    private let prompt: UnsafeMutablePointer<CChar>
    private let nextByte: () -> UInt8?
    private let complete: (String) -> LineCompletion

    /// - Parameters:
    ///   - program: whose section of `~/.editrc` is read.
    ///   - nextByte: waits for a byte of standard input; nil at its end.
    ///   - complete: gets the text before the cursor when Tab is pressed.
    public init(
        program: String, prompt: String, nextByte: @escaping () -> UInt8?,
        complete: @escaping (String) -> LineCompletion
    ) throws(LineEditingFailure) {
        guard let editor = unsafe shim_editor(program) else {
            throw LineEditingFailure(description: "the line editor cannot use this terminal")
        }
        guard let history = unsafe history_init() else {
            unsafe el_end(editor)
            throw LineEditingFailure(description: "no memory for the history")
        }
        (unsafe self.editor, unsafe self.history) = unsafe (editor, history)
        self.nextByte = nextByte
        self.complete = complete
        let bytes = Array(prompt.utf8CString)
        unsafe self.prompt = .allocate(capacity: bytes.count)
        unsafe self.prompt.initialize(from: bytes, count: bytes.count)
        _ = unsafe shim_history_size(history, Self.historySize)
        // The editor does not outlive this object, and calls its functions only within `readLine`.
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        let failed = unsafe shim_prepare(
            editor, own,
            { editor in unsafe LineEditor.of(editor)?.prompt },
            { editor, character in
                guard let character = unsafe character, let own = unsafe LineEditor.of(editor) else { return -1 }
                guard let scalar = own.nextScalar() else { return 0 }
                unsafe character.pointee = wchar_t(bitPattern: scalar.value)
                return 1
            },
            { editor, _ in unsafe LineEditor.of(editor)?.completeName() ?? shim_refused() }, history)
        if failed != 0 { throw LineEditingFailure(description: "the line editor cannot use this terminal") }
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

    /// Lets the user edit a line.
    /// - Returns: the line without its end; nil at the end of the input.
    public func readLine() -> String? {
        var count: Int32 = 0
        guard let bytes = unsafe el_gets(editor, &count), count > 0 else { return nil }
        var line = unsafe String(cString: bytes)
        while line.last?.isNewline == true { line.removeLast() }
        return line
    }

    /// Puts a line into the history, which Up and ^R bring back.
    public func remember(_ line: String) { _ = unsafe shim_remember(history, line) }

    /// Prints lines above the one that is edited, within `nextByte`.
    public func printAbove(_ lines: [String]) {
        unsafe shim_print("\r\u{1B}[K" + lines.map { $0 + "\n" }.joined())
        unsafe shim_refresh(editor)
    }

    private func nextScalar() -> Unicode.Scalar? {
        var decoder = UTF8()
        var bytes = AnyIterator { [nextByte] in nextByte() }
        switch decoder.decode(&bytes) {
        case .scalarValue(let scalar): return scalar
        case .error: return "\u{FFFD}"
        case .emptyInput: return nil
        }
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
            unsafe el_deletestr(editor, Int32(completion.replaced))
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
    /// The characters with which both begin, upper and lower case the same.
    fileprivate func commonPrefix(with other: String) -> String {
        String(zip(self, other).prefix { $0.lowercased() == $1.lowercased() }.map(\.0))
    }
}
