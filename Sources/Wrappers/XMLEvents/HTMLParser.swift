internal import CLibXML2
internal import Glibc

/// Receives the elements and text of HTML, during `HTMLParser.parse` and on the caller's thread.
public protocol HTMLEventHandler: AnyObject {
    /// Name and attributes are valid during the call.
    func startElement(_ name: HTMLElementName, attributes: HTMLAttributes)
    /// Text, in pieces of any length: UTF-8, references resolved, whole characters, valid during the call.
    func characters(_ text: UnsafeRawBufferPointer)
    /// Called once for each element, the innermost first, also without an end tag, as for `<br>`.
    func endElement(_ name: HTMLElementName)
}

/// The name of an element: zero-terminated, in lower case; valid during the call.
@safe public struct HTMLElementName {
    private let pointer: UnsafePointer<UInt8>

    init(_ pointer: UnsafePointer<UInt8>) { unsafe self.pointer = unsafe pointer }

    public var string: String { unsafe String(cString: pointer) }

    /// The first eight bytes as a number, the first one lowest: distinguishes HTML's names, and is fast to compare.
    public var packed: UInt64 {
        var value: UInt64 = 0
        for index in 0..<8 {
            let byte = unsafe pointer[index]
            if byte == 0 { break }
            value |= UInt64(byte) << UInt64(8 * index)
        }
        return value
    }

    /// `packed` of a name.
    public static func packed(_ name: String) -> UInt64 {
        name.utf8.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// The attributes of one element; valid during the call.
@safe public struct HTMLAttributes {
    /// Names and values in turn, ended by a null pointer; a value may be null.
    private let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

    init(_ base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?) { unsafe self.base = unsafe base }

    /// The value of an attribute by its name in lower case: UTF-8, references resolved; nil if there is none.
    public func value(named name: StaticString) -> String? {
        guard var field = unsafe base else { return nil }
        while let written = unsafe field[0] {
            // A static string literal is zero-terminated in memory.
            let isSought =
                unsafe strcmp(
                    UnsafeRawPointer(name.utf8Start).assumingMemoryBound(to: CChar.self),
                    UnsafeRawPointer(written).assumingMemoryBound(to: CChar.self)) == 0
            if isSought { return unsafe field[1].map { unsafe String(cString: $0) } ?? "" }
            unsafe field += 2
        }
        return nil
    }
}

/// Why HTML was not parsed to its end.
public enum HTMLStop: Equatable, Sendable {
    /// Longer than `HTMLParser.textBytes`; the rest was ignored.
    case tooLarge
    /// libxml2 is out of memory.
    case outOfMemory
}

/// libxml2's HTML push parser (htmlCreatePushParserCtxt, SAX).
///
/// Its input is `PlainHTML`, so that no text is lost and the time is linear. Tags of `html`, `head` and `body` are
/// ignored; these elements are reported where libxml2 implies them. Scripts and style sheets are not reported. No tree
/// is built, because libxml2 frees trees recursively, and a deep one overflows the stack. Nothing is opened, and an
/// encoding that the HTML names is ignored.
public enum HTMLParser {
    /// Maximum bytes of a text; further bytes are ignored.
    public static let textBytes = 1 << 20
    /// Maximum open elements, except a few that libxml2 implies. Deeper tags are ignored.
    public static let depth = 256

    /// Parses a complete UTF-8 text. Returns why it was not parsed to its end; nil if it was.
    public static func parse(_ text: UnsafeRawBufferPointer, handler: any HTMLEventHandler) -> HTMLStop? {
        prepareLibrary
        let size = unsafe whole(text, upTo: textBytes)
        let taken = unsafe UnsafeRawBufferPointer(rebasing: text[..<size])
        let stop: HTMLStop?
        if let clean = unsafe TextWithoutControls.copy(of: taken) {
            stop = unsafe clean.withUnsafeBytes { unsafe parse(clean: $0, handler) }
        } else {
            stop = unsafe parse(clean: taken, handler)
        }
        return stop ?? (size < text.count ? .tooLarge : nil)
    }

    private static func parse(clean text: UnsafeRawBufferPointer, _ handler: any HTMLEventHandler) -> HTMLStop? {
        var callbacks = unsafe HTMLState.callbacks
        var state = HTMLState(handler: handler)
        return unsafe withUnsafeMutablePointer(to: &state) { state -> HTMLStop? in
            guard let context = unsafe htmlCreatePushParserCtxt(&callbacks, state, nil, 0, nil, XML_CHAR_ENCODING_NONE)
            else { return .outOfMemory }
            defer {
                unsafe xmlFreeDoc(context.pointee.myDoc)
                unsafe htmlFreeParserCtxt(context)
            }
            let options =
                HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
                | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue
            _ = unsafe htmlCtxtUseOptions(context, Int32(options))
            // Without this, libxml2 assumes ISO 8859-1 at the first non-ASCII byte.
            _ = unsafe xmlSwitchEncoding(context, XML_CHAR_ENCODING_UTF8)
            var source = unsafe PlainHTML(text)
            repeat {
                source.read(depth: unsafe state.pointee.depth)
                unsafe state.pointee.runs.texts = unsafe source.runs
                let isLast: Int32 = source.isAtEnd ? 1 : 0
                unsafe source.bytes.withUnsafeBytes { bytes in
                    _ = unsafe htmlParseChunk(
                        context, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count), isLast)
                }
            } while !source.isAtEnd
            return unsafe context.pointee.errNo == Int32(XML_ERR_NO_MEMORY.rawValue) ? .outOfMemory : nil
        }
    }

    /// xmlInitParser(3) must have run once before threads use the library.
    private static let prepareLibrary: Void = xmlInitParser()

    /// The bytes of the whole characters within a limit.
    private static func whole(_ text: UnsafeRawBufferPointer, upTo limit: Int) -> Int {
        guard text.count > limit else { return text.count }
        var end = limit
        while end > 0, unsafe text[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }
}

/// The state of the C callbacks.
@safe private struct HTMLState {
    let handler: any HTMLEventHandler
    var runs = TextRuns()
    var depth = 0

    init(handler: any HTMLEventHandler) { self.handler = handler }

    /// Without handlers for comments, instructions, document types, scripts and style sheets, which are ignored.
    static var callbacks: xmlSAXHandler {
        var callbacks = unsafe xmlSAXHandler()
        unsafe callbacks.startElement = { state, name, attributes in
            unsafe state!.assumingMemoryBound(to: HTMLState.self).pointee.start(
                unsafe HTMLElementName(name!), unsafe HTMLAttributes(attributes))
        }
        unsafe callbacks.endElement = { state, name in
            unsafe state!.assumingMemoryBound(to: HTMLState.self).pointee.end(unsafe HTMLElementName(name!))
        }
        unsafe callbacks.characters = { state, text, count in
            unsafe state!.assumingMemoryBound(to: HTMLState.self).pointee.characters(
                UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        unsafe callbacks.ignorableWhitespace = unsafe callbacks.characters
        return unsafe callbacks
    }

    private mutating func start(_ name: HTMLElementName, _ attributes: HTMLAttributes) {
        depth += 1
        handler.startElement(name, attributes: attributes)
    }

    private mutating func characters(_ text: UnsafeRawBufferPointer) { unsafe runs.restore(in: text, to: handler) }

    private mutating func end(_ name: HTMLElementName) {
        depth -= 1
        handler.endElement(name)
    }
}
