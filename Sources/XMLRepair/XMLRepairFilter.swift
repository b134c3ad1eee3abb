internal import Glibc

/// How much the filter bears.
public struct XMLRepairLimits: Equatable, Sendable {
    /// Elements open at once; tags of deeper ones are removed, their text stays.
    public var depth = 250
    /// Attributes of one element; more are removed.
    public var attributes = 200
    /// Namespace declarations of all open elements; more are removed. A parser searches them for each prefixed name.
    public var namespaces = 200
    /// Bytes of an element's name; a longer one is taken for text.
    public var nameBytes = 512
    /// Bytes of one tag; a longer one is removed. This bounds the filter's memory.
    public var tagBytes = 1 << 20
    /// Bytes of something else before the root element; a document with more has none.
    public var leadingJunkBytes = 1 << 20
    /// Entities that a DOCTYPE may declare; more stay unknown. With `entityBytes` this bounds their memory.
    public var entities = 512
    /// Bytes of the declaration of one; the entity of a longer one stays unknown.
    public var entityBytes = 1 << 10
    /// Bytes that all references to such entities put in; further ones stay as text.
    public var expandedBytes = 1 << 22
    /// Repairs kept with their places; more are counted.
    public var repairs = 100

    /// Bounds that no honest document comes near.
    public init() {}
}

/// How an ampersand stands in the values of attributes.
public enum AmpersandForm: Sendable {
    /// As XML has it: `&amp;`.
    case escaped
    /// Mostly as `mark`, for whoever turns that back: libxml2 takes five times as long over a value with a reference in it, and
    /// most addresses of media files have one. The values of namespace declarations keep theirs.
    case marked

    /// U+007F, a control character that XML allows and that the filter leaves in no value otherwise.
    public static let mark: UInt8 = 0x7F
}

/// A piece of a well-formed document.
public enum XMLPiece {
    /// Tags and escaped text; a piece ends anywhere.
    case markup(UnsafeRawBufferPointer)
    /// The inside of a CDATA section, without its delimiters: characters that XML allows, none cut. A parser need not see
    /// it, only be told that it stands there.
    case characterData(UnsafeRawBufferPointer)
    /// The last piece of a document that broke off: the end tags it lacks.
    case missingEnd(UnsafeRawBufferPointer)
}

/// Makes a stream of bytes that someone calls XML into well-formed UTF-8 XML, in one pass and constant memory.
///
/// The charset is taken from the byte-order mark, else from the HTTP header, the XML declaration, or the bytes
/// themselves; bytes that are none of it are taken for Windows-1252. What comes out has no declaration, DOCTYPE, comment
/// or instruction: it begins with the root element and ends with its end tag, so no entity can be declared in it. In place
/// of references to entities of text that the DOCTYPE declared stands that text.
/// A document that was well-formed comes out unchanged apart from that, and mostly without being copied.
/// Confined to one thread at a time.
public struct XMLRepairFilter: ~Copyable {
    private var transcoder: Transcoder
    private var markup: MarkupRepair
    /// What the last block left over, and what has come since.
    private var carry = ByteBuffer(capacity: 1 << 10)
    /// With fewer bytes than this in `carry` it is not worth looking again: a long tag that drips in would be read
    /// from its begin with every drop.
    private var worthwhile = 0

    /// A filter for one document.
    ///
    /// - Parameters:
    ///   - httpCharset: the charset of the response's header, if it names one.
    ///   - roots: local names of root elements, in lower case; everything before the first of them is removed as junk.
    ///     With none, any element is the root.
    ///   - limits: how much the filter bears.
    ///   - ampersands: how they stand in attributes.
    public init(
        httpCharset: String? = nil, roots: [String] = [], limits: XMLRepairLimits = XMLRepairLimits(),
        ampersands: AmpersandForm = .escaped
    ) {
        transcoder = Transcoder(httpCharset: httpCharset)
        markup = MarkupRepair(roots: roots, limits: limits, ampersands: ampersands)
    }

    /// Takes the next bytes, of any number, and hands on what is known of them.
    ///
    /// - Parameters:
    ///   - bytes: the document's next bytes.
    ///   - sink: is given the document in pieces, which are valid during the call.
    public mutating func process<Failure: Error>(
        _ bytes: UnsafeRawBufferPointer, into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) {
        var rest = bytes
        while !rest.isEmpty {
            // Blocks bound the memory that repairs take, whatever the caller hands over at once.
            let block = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16))
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(block.count))
            try read(transcoder.decode(block, isLast: false, log: &markup.log), isLast: false, into: sink)
        }
    }

    /// Tells that no byte follows; ends what is still open.
    public mutating func finish<Failure: Error>(
        into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        try read(transcoder.decode(nothing, isLast: true, log: &markup.log), isLast: true, into: sink)
        markup.finish()
        if !markup.output.isEmpty { try sink(.missingEnd(markup.output.bytes)) }
        markup.output.removeAll()
    }

    private mutating func read<Failure: Error>(
        _ text: UnsafeRawBufferPointer, isLast: Bool, into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) {
        if carry.isEmpty {
            guard text.count > 0 else { return }
            let consumed = try run(text, isLast: isLast, into: sink)
            keep(text, from: consumed)
            return
        }
        if let base = text.baseAddress, text.count > 0 {
            carry.append(base.assumingMemoryBound(to: UInt8.self), count: text.count)
        }
        guard isLast || carry.count >= worthwhile else { return }
        let consumed = try run(carry.bytes, isLast: isLast, into: sink)
        carry.removeFirst(consumed)
        worthwhile = carry.count * 2
    }

    private mutating func keep(_ text: UnsafeRawBufferPointer, from consumed: Int) {
        guard consumed < text.count else { return }
        carry.append(text.baseAddress!.assumingMemoryBound(to: UInt8.self) + consumed, count: text.count - consumed)
        worthwhile = carry.count * 2
    }

    private mutating func run<Failure: Error>(
        _ block: UnsafeRawBufferPointer, isLast: Bool, into sink: (XMLPiece) throws(Failure) -> Void
    ) throws(Failure) -> Int {
        var consumed = 0
        repeat {
            let stop = markup.run(UnsafeRawBufferPointer(rebasing: block[consumed...]), isLast: isLast)
            consumed = UnsafeRawPointer(stop) - block.baseAddress!
            // What follows in the block may be nothing but the rest of an edit.
            if !markup.output.isEmpty { markup.flush(to: stop) }
            let isEdited = !markup.output.isEmpty
            let piece =
                isEdited
                ? markup.output.bytes : UnsafeRawBufferPointer(start: markup.cursor, count: stop - markup.cursor)
            defer { markup.output.removeAll() }
            if piece.count > 0 { try sink(markup.isCharacterData ? .characterData(piece) : .markup(piece)) }
        } while markup.isAtBoundary && consumed < block.count
        return consumed
    }

    /// The first repairs: of the document as a whole, then in its order. The same in whatever pieces it came.
    public var repairs: [Repair] { markup.log.repairs }
    /// How many there were.
    public var repairCount: Int { markup.log.count }
    /// The document ended before its root element did.
    public var isTruncated: Bool { markup.isTruncated }
    /// A root element that was asked for has begun.
    public var hasRoot: Bool { markup.root == .found }
    /// The name of the first element of a document in which no root was found that was asked for.
    public var foreignRoot: String? {
        if case .foreign(let name) = markup.root { return name }
        return nil
    }
    /// Nothing that follows can change anything: the root has ended, or it is certain that none will come.
    public var isDone: Bool { markup.state == .done }
}

extension MarkupRepair {
    /// Ends what is open at the document's end.
    fileprivate mutating func finish() {
        switch state {
        case .prolog, .epilog, .done: break
        case .comment, .instruction, .declaration, .oversizedTag:
            if resumed == .content { isTruncated = true }
        case .cdataStart, .cdata, .content: isTruncated = true
        }
        guard open.count > 0 else { return }
        isTruncated = true
        let names = (0..<open.count).reversed().prefix(8).map {
            "<\(String(decoding: open.name($0).prefix(40), as: UTF8.self))>"
        }
        log.noteEnd("the document breaks off; closed \(names.joined(separator: ", "))")
        while open.count > 0 { closeInnermost() }
        state = .done
    }
}
