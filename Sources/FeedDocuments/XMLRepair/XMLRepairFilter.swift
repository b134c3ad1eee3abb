internal import PodcastModel

/// Limits of the filter's memory and time. The defaults are far above the needs of real documents.
struct XMLRepairLimits: Equatable {
    /// Open elements; deeper tags are removed, their text is kept.
    var depth = 250
    /// Attributes of one element; further ones are removed.
    var attributes = 200
    /// Namespace declarations of all open elements; further ones are removed. Parsers search them for each prefix.
    var namespaces = 200
    /// Bytes of an element's name; a tag with a longer name is text.
    var nameBytes = 512
    /// Bytes of one tag; a longer tag is removed. This limits the filter's memory.
    var tagBytes = 1 << 20
    /// Bytes before the root element; a document with more has no root.
    var leadingJunkBytes = 1 << 20
    /// Repairs kept with their places; further ones are counted.
    var repairs = 100
}

/// A piece of a well-formed document.
enum XMLPiece {
    /// Tags and escaped text; a piece ends anywhere.
    case markup(UnsafeRawBufferPointer)
    /// The content of a CDATA section: whole valid characters, which need no parser.
    case characterData(UnsafeRawBufferPointer)
}

/// Turns broken XML into well-formed UTF-8 XML, in one pass and constant memory. A truncated document stays truncated. Confined to
/// one thread at a time.
///
/// The charset is taken from the byte-order mark, or else from the HTTP header, the XML declaration, or the bytes
/// themselves; invalid bytes are decoded as Windows-1252. The output has no declaration, DOCTYPE, comments or
/// instructions: it begins with the root element's start tag and ends with its end tag, so it cannot declare entities.
/// References to entities that the DOCTYPE declares stay as text. Otherwise well-formed documents are unchanged, and
/// mostly not copied.
struct XMLRepairFilter: ~Copyable {
    private var transcoder: Transcoder
    private var markup: MarkupRepair
    /// The rest of the last block, and following bytes.
    private var carry = ByteBuffer(capacity: 1 << 10)
    /// Number of bytes in `carry` at which it is read again: otherwise a long tag that arrives in small pieces would be
    /// read from its start with each piece.
    private var worthwhile = 0

    /// - Parameter roots: local names of root elements, in lower case; everything before the first of them is removed. If
    ///   empty, any element is the root.
    init(httpCharset: String? = nil, roots: [String] = [], limits: XMLRepairLimits = XMLRepairLimits()) {
        transcoder = Transcoder(httpCharset: httpCharset)
        markup = MarkupRepair(roots: roots, limits: limits)
    }

    /// Reads the next bytes, of any number, and passes on complete pieces.
    /// - Parameter sink: receives the document in pieces, each valid during the call.
    mutating func process<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            // Blocks limit the memory for repairs.
            let block = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(block.count))
            try read(transcoder.decode(block, isLast: false, log: &markup.log), isLast: false, into: sink)
        }
    }

    /// Ends the document.
    mutating func finish<Failure: Error>(into sink: (XMLPiece) throws(Failure) -> Void) throws(Failure) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try read(transcoder.decode(nothing, isLast: true, log: &markup.log), isLast: true, into: sink)
        if markup.open.count > 0 {
            markup.isTruncated = true
            markup.log.addAtEnd("the document breaks off in <\(markup.open.shownName(markup.open.count - 1))>")
        }
        markup.state = .done
    }

    private mutating func read<Failure: Error>(
        _ text: UnsafeRawBufferPointer, isLast: Bool, into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) {
        if carry.isEmpty {
            guard text.count > 0 else { return }
            let consumed = try run(text, isLast: isLast, into: sink)
            carry.append(UnsafeRawBufferPointer(rebasing: text[consumed...]))
        } else {
            carry.append(text)
            guard isLast || carry.count >= worthwhile else { return }
            carry.removeFirst(try run(carry.bytes, isLast: isLast, into: sink))
        }
        worthwhile = carry.count * 2
    }

    private mutating func run<Failure: Error>(
        _ block: UnsafeRawBufferPointer, isLast: Bool, into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        var consumed = 0
        repeat {
            let stop = markup.run(UnsafeRawBufferPointer(rebasing: block[consumed...]), isLast: isLast)
            consumed = UnsafeRawPointer(stop) - block.baseAddress!
            // The rest of the block may be only the rest of an edit.
            if !markup.output.isEmpty { markup.flush(to: stop) }
            let unedited = UnsafeRawBufferPointer(start: markup.cursor, count: stop - markup.cursor)
            let piece = markup.output.isEmpty ? unedited : markup.output.bytes
            defer { markup.output.removeAll() }
            if piece.count > 0 { try sink(markup.isCharacterData ? .characterData(piece) : .markup(piece)) }
        } while markup.isAtBoundary && consumed < block.count
        return consumed
    }

    /// The first repairs: of the whole document, then of its parts in document order.
    var repairs: [Diagnostic] { markup.log.repairs }
    var repairCount: Int { markup.log.count }
    /// True if the document ended before its root element.
    var isTruncated: Bool { markup.isTruncated }
    var hasRoot: Bool { markup.root == .found }
    /// The name of the first element of a document without a requested root.
    var foreignRoot: String? { if case .foreign(let name) = markup.root { name } else { nil } }
    /// True if the rest of the document is ignored: the root has ended, or there is none.
    var isDone: Bool { markup.state == .done }
}
