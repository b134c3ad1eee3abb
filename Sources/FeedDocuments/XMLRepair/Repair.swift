internal import Glibc
internal import PodcastModel

/// Keeps the first repairs of invalid XML, counts the others, and tracks the current line.
struct RepairLog {
    private var placed: [Diagnostic] = []
    private var placedCount = 0
    private var document: [String] = []
    private let limit: Int
    private var line = 1
    private var column = 0
    private var endedWithReturn = false
    /// `line` and `column` count everything before this address.
    private var mark: Bytes?

    init(limit: Int) { self.limit = limit }

    /// Counts a removed byte-order mark.
    mutating func skip(columns: Int) { column += columns }

    mutating func begin(at address: Bytes) { mark = address }

    /// Adds a repair. Addresses must not decrease.
    mutating func add(_ address: Bytes, _ message: @autoclosure () -> String) {
        if placed.count < limit { advance(to: address) }
        addAtEnd(message())
    }

    mutating func addAtEnd(_ message: @autoclosure () -> String) {
        placedCount += 1
        guard placed.count < limit else { return }
        placed.append(Diagnostic(line: line, column: column + 1, message: message()))
    }

    /// Adds a repair of the whole document, once, without a place, because the charset is decoded before the rest.
    mutating func addOfDocument(_ message: String) { if !document.contains(message) { document.append(message) } }

    /// The kept repairs: first those of the whole document, then the others in document order.
    var repairs: [Diagnostic] {
        Array((document.map { Diagnostic(line: 1, column: 1, message: $0) } + placed).prefix(limit))
    }

    var count: Int { document.count + placedCount }

    /// Counts lines and columns up to an address.
    mutating func advance(to address: Bytes) {
        guard let start = mark, start < address else { return }
        mark = address
        if endedWithReturn && start.pointee == .newline { line -= 1 }
        let size = address - start
        var lineStart = start
        if memchr(start, Int32(UInt8.carriageReturn), size) != nil {
            // Lines that end with a carriage return, alone or before a line feed, are rare enough to go byte by byte.
            var place = start
            while place < address {
                let isPair = place.pointee == .carriageReturn && place + 1 < address && place[1] == .newline
                if !isPair && (place.pointee == .newline || place.pointee == .carriageReturn) {
                    line += 1
                    lineStart = place + 1
                    column = 0
                }
                place += 1
            }
        } else if case let newlines = countNewlines(start, address), newlines > 0 {
            line += newlines
            lineStart = address
            while lineStart[-1] != .newline { lineStart -= 1 }
            column = 0
        }
        endedWithReturn = address[-1] == .carriageReturn
        column += address - lineStart
    }
}
