internal import PodcastModel

/// Keeps the first repairs of invalid XML, counts the others, and tracks the current line.
struct RepairLog {
    /// The part of the log that is restored if a repair is undone.
    struct State {
        fileprivate var count = 0
        fileprivate var line = 1
        fileprivate var column = 0
        /// `line` and `column` count everything before this address.
        fileprivate var mark: Bytes?
    }

    private var placed: [Diagnostic] = []
    private var document: [String] = []
    private let limit: Int
    private(set) var state = State()

    init(limit: Int) { self.limit = limit }

    /// Counts a removed byte-order mark.
    mutating func skip(columns: Int) { state.column += columns }

    mutating func begin(at address: Bytes) { state.mark = address }

    /// Adds a repair. Addresses must not decrease.
    mutating func add(_ address: Bytes, _ message: @autoclosure () -> String) {
        if placed.count < limit { advance(to: address) }
        addAtEnd(message())
    }

    mutating func addAtEnd(_ message: @autoclosure () -> String) {
        state.count += 1
        guard placed.count < limit else { return }
        placed.append(Diagnostic(line: state.line, column: state.column + 1, message: message()))
    }

    /// Adds a repair of the whole document, once, without a place, because the charset is decoded before the rest.
    mutating func addOfDocument(_ message: String) { if !document.contains(message) { document.append(message) } }

    /// Removes the repairs since an earlier state.
    mutating func undo(to state: State) {
        self.state = state
        if placed.count > state.count { placed.removeLast(placed.count - state.count) }
    }

    /// The kept repairs: first those of the whole document, then the others in document order.
    var repairs: [Diagnostic] {
        Array((document.map { Diagnostic(line: 1, column: 1, message: $0) } + placed).prefix(limit))
    }

    var count: Int { document.count + state.count }

    /// Counts lines and columns up to an address.
    mutating func advance(to address: Bytes) {
        guard var start = state.mark, start < address else { return }
        while let newline = find(.newline, start, address) {
            state.line += 1
            state.column = 0
            start = newline + 1
        }
        state.column += address - start
        state.mark = address
    }
}
