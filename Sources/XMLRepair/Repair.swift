internal import Glibc

/// One thing that was not as XML has it, and what was done.
public struct Repair: Equatable, Sendable {
    /// Line in the original, from 1.
    public var line: Int
    /// Column in the original, in bytes, from 1. In a document of several bytes for each character it is exact for
    /// UTF-8, UTF-16 and single-byte charsets, and near otherwise.
    public var column: Int
    /// What was done, in a person's words.
    public var message: String

    /// A repair at a place.
    public init(line: Int, column: Int, message: String) {
        self.line = line
        self.column = column
        self.message = message
    }
}

/// How many bytes a character took in the original, by the length of its UTF-8 form.
struct CharacterWidths {
    var one = 1
    var two = 2
    var three = 3
    var four = 4
}

/// Keeps the first repairs, counts the others, and knows which line is being read.
struct RepairLog {
    private var placed: [Repair] = []
    private var placedCount = 0
    private var document: [String] = []
    private let limit: Int
    private var line = 1
    private var column = 0
    private var endedWithReturn = false
    /// nil while columns are simply bytes.
    var widths: CharacterWidths?
    /// Everything before this address is counted in `line` and `column`.
    private var mark: Bytes?

    init(limit: Int) { self.limit = limit }

    /// A byte-order mark was taken off.
    mutating func skip(columns: Int) { column += columns }

    /// The next bytes begin at another address.
    mutating func begin(at address: Bytes) { mark = address }

    /// Notes a repair at an address at or behind all earlier ones.
    mutating func note(_ address: Bytes, _ message: @autoclosure () -> String) {
        placedCount += 1
        guard placed.count < limit else { return }
        advance(to: address)
        placed.append(Repair(line: line, column: column + 1, message: message()))
    }

    /// Notes something at the document's end.
    mutating func noteEnd(_ message: @autoclosure () -> String) {
        placedCount += 1
        guard placed.count < limit else { return }
        placed.append(Repair(line: line, column: column + 1, message: message()))
    }

    /// Notes something about the document as a whole, once. It has no place: its charset is read block by block, ahead
    /// of everything else.
    mutating func noteDocument(_ message: String) {
        if !document.contains(message) { document.append(message) }
    }

    /// Counts repairs of which nothing more is known.
    mutating func add(uncounted more: Int) { placedCount += more }

    /// What was noted: of the document as a whole, then in its order; as many as are kept.
    var repairs: [Repair] {
        Array((document.map { Repair(line: 1, column: 1, message: $0) } + placed).prefix(limit))
    }

    /// How many there were.
    var count: Int { document.count + placedCount }

    /// Repairs at places so far.
    var countOfPlaced: Int { placedCount }

    /// Counts lines and columns up to an address.
    mutating func advance(to address: Bytes) {
        guard let start = mark, start < address else { return }
        mark = address
        if endedWithReturn && start.pointee == .newline { line -= 1 }
        let size = address - start
        var lineStart = start
        if memchr(start, Int32(UInt8.carriageReturn), size) != nil {
            // Lines that end in a return, alone or before a line feed: rare enough to go byte by byte.
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
        column += columns(lineStart, address)
    }

    private func columns(_ start: Bytes, _ end: Bytes) -> Int {
        guard let widths else { return end - start }
        var total = 0
        var place = start
        while place < end {
            switch place.pointee {
            case 0..<0x80: total += widths.one
            case 0x80..<0xC0: break
            case 0xC0..<0xE0: total += widths.two
            case 0xE0..<0xF0: total += widths.three
            default: total += widths.four
            }
            place += 1
        }
        return total
    }
}
