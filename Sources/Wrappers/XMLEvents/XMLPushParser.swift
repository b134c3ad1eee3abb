internal import CLibXML2

/// Receives the elements and text of a document, during `XMLPushParser.parse` and `finish` and on the caller's thread.
public protocol XMLEventHandler: AnyObject {
    /// Names and attributes are valid during the call.
    func startElement(_ name: XMLElementName, attributes: XMLAttributes)
    /// Text or CDATA, in pieces of any length: UTF-8, whole characters, valid during the call.
    func characters(_ text: UnsafeRawBufferPointer)
    /// The name is the start tag's, even if the document nests wrongly.
    func endElement(_ name: XMLElementName)
}

/// libxml2's push parser (xmlCreatePushParserCtxt, SAX2), with options for untrusted documents. One thread.
///
/// Options: RECOVER (continue after faults), NONET, HUGE (without its limits: the document comes from `XMLRepairFilter`, which bounds
/// depth, attributes and tags). Without handlers for entity declarations, external subsets and DTDs, no entity is known or expanded, and
/// nothing is opened.
@safe public final class XMLPushParser {
    /// Bytes of all distinct names and namespaces; libxml2 exceeds it by up to a third, or by those of one chunk.
    private static let dictionaryBytes = 1 << 20

    // xmlInitParser(3) must have run once before threads use the library.
    private static let library = {
        let library = unsafe shim_load_libxml2_functions()?.pointee
        library?.xmlInitParser()
        return library
    }()

    private let xml: libxml2_functions
    private let context: xmlParserCtxtPtr
    private let state: UnsafeMutablePointer<SAXState>
    private var failure: XMLError?

    /// A parser for one document. Keeps the handler alive.
    /// - Throws: `XMLError` if libxml2 is missing or out of memory.
    public init(handler: any XMLEventHandler) throws(XMLError) {
        guard let xml = Self.library else {
            throw XMLError(code: 0, message: "libxml2 is missing")
        }
        self.xml = xml
        let state = UnsafeMutablePointer<SAXState>.allocate(capacity: 1)
        unsafe state.initialize(to: SAXState(handler: handler))
        var callbacks = unsafe SAXState.callbacks
        guard let context = unsafe xml.xmlCreatePushParserCtxt(&callbacks, state, nil, 0, nil) else {
            unsafe state.deinitialize(count: 1)
            unsafe state.deallocate()
            throw XMLError(code: 0, message: "libxml2 is out of memory")
        }
        // NOENT replaces the five predefined entities in attributes, which would stay escaped without it. There are no
        // others, because declarations are ignored.
        let options =
            XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue | XML_PARSE_HUGE.rawValue
            | XML_PARSE_NOENT.rawValue
        _ = unsafe xml.xmlCtxtUseOptions(context, Int32(options))
        // HUGE also removes the dictionary's limit: a document of distinct names would fill the memory, and take
        // quadratic time, because the dictionary has at most 16,384 buckets.
        _ = unsafe xml.xmlDictSetLimit(context.pointee.dict, Self.dictionaryBytes)
        unsafe self.context = unsafe context
        unsafe self.state = unsafe state
    }

    deinit {
        unsafe xml.xmlFreeDoc(context.pointee.myDoc)
        unsafe xml.xmlFreeParserCtxt(context)
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Parses the next bytes of the document: xmlParseChunk(3).
    /// - Throws: `XMLError` if the document cannot be parsed further; every later call throws the same error.
    public func parse(_ bytes: UnsafeRawBufferPointer) throws(XMLError) {
        if let failure { throw failure }
        guard let base = bytes.baseAddress, bytes.count > 0 else { return }
        let text = unsafe base.assumingMemoryBound(to: CChar.self)
        _ = unsafe xml.xmlParseChunk(context, text, Int32(bytes.count), 0)
        // libxml2 2.15 ignores the limit of the dictionary.
        if unsafe xml.xmlDictGetUsage(context.pointee.dict) > 2 * Self.dictionaryBytes {
            throw stopped(by: XMLError(code: 0, message: "the document has too many names"))
        }
        try check()
    }

    /// Parses the content of a CDATA section, without its delimiters, as the next bytes of the document.
    ///
    /// libxml2 would check each of these bytes three times. If it has parsed everything before them, they go directly
    /// to the handler; otherwise through libxml2.
    /// - Parameter bytes: whole characters that XML allows, in valid UTF-8.
    public func parse(characterData bytes: UnsafeRawBufferPointer) throws(XMLError) {
        // libxml2 keeps text until something ends it; the start of a section does.
        if !hasTakenEverything { try parse("<![CDATA[]]>") }
        guard hasTakenEverything, unsafe state.pointee.depth > 0 else { return try unsafe parse(asSections: bytes) }
        if let failure { throw failure }
        unsafe state.pointee.characters(bytes)
    }

    /// Parses the bytes as sections that end before each `>`, so that none contains a `]]>`.
    private func parse(asSections bytes: UnsafeRawBufferPointer) throws(XMLError) {
        var rest = unsafe bytes[...]
        while unsafe !rest.isEmpty {
            let end = unsafe rest.dropFirst().firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
            try parse("<![CDATA[")
            try unsafe parse(UnsafeRawBufferPointer(rebasing: rest[..<end]))
            try parse("]]>")
            unsafe rest = unsafe rest[end...]
        }
    }

    private func parse(_ text: StaticString) throws(XMLError) {
        try unsafe parse(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// True if libxml2 keeps no bytes until others follow.
    private var hasTakenEverything: Bool {
        guard let input = unsafe context.pointee.input else { return false }
        return unsafe input.pointee.cur == input.pointee.end && shim_is_in_content(context)
    }

    /// Ends the document. Open elements are a fault; their ends are not reported.
    /// - Throws: `XMLError` if the document could not be parsed.
    public func finish() throws(XMLError) {
        if let failure { throw failure }
        _ = unsafe xml.xmlParseChunk(context, nil, 0, 1)
        try check()
    }

    /// libxml2's latest fault, recovered or not; nil for a well-formed document. The fuzz target compares it with the repairs.
    public var latestFault: XMLError? { unsafe state.pointee.latest }

    /// libxml2's message about the first prefix that is not declared; nil if all are.
    public var undeclaredPrefix: String? { unsafe state.pointee.undeclaredPrefix }

    private func check() throws(XMLError) {
        // In recovery mode, only fatal errors disable the handlers.
        guard unsafe shim_is_stopped(context) else { return }
        throw stopped(by: unsafe state.pointee.latest ?? XMLError(code: 0, message: "the parser stopped"))
    }

    /// The error of this and of every later call.
    private func stopped(by error: XMLError) -> XMLError {
        failure = error
        return error
    }
}
