internal import CLibXML2

/// The state of the C callbacks, at a fixed address: they run for every few bytes, and use it without reference
/// counting and exclusivity checks.
@safe struct SAXState {
    let handler: any XMLEventHandler
    var depth = 0
    var latest: XMLError?
    /// libxml2's message about the first prefix that is not declared.
    var undeclaredPrefix: String?

    /// Without handlers for DTDs, entities, comments and instructions, which are ignored.
    static var callbacks: xmlSAXHandler {
        var callbacks = unsafe xmlSAXHandler()
        unsafe callbacks.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe callbacks.startElementNs = { state, local, prefix, uri, _, _, count, _, attributes in
            unsafe state!.assumingMemoryBound(to: SAXState.self).pointee.start(
                unsafe XMLElementName(local: local!, prefix: prefix, uri: uri),
                unsafe XMLAttributes(attributes, count: Int(count)))
        }
        unsafe callbacks.endElementNs = { state, local, prefix, uri in
            unsafe state!.assumingMemoryBound(to: SAXState.self).pointee.end(
                unsafe XMLElementName(local: local!, prefix: prefix, uri: uri))
        }
        unsafe callbacks.characters = { state, text, count in
            unsafe state!.assumingMemoryBound(to: SAXState.self).pointee.characters(
                UnsafeRawBufferPointer(start: text, count: Int(count)))
        }
        // With the same function for white space, libxml2 does not check whether text is white space.
        unsafe callbacks.ignorableWhitespace = unsafe callbacks.characters
        unsafe callbacks.cdataBlock = unsafe callbacks.characters
        unsafe callbacks.serror = { state, error in
            guard let state = unsafe state, let error = unsafe error else { return }
            unsafe state.assumingMemoryBound(to: SAXState.self).pointee.note(error.pointee)
        }
        return unsafe callbacks
    }

    private mutating func start(_ name: XMLElementName, _ attributes: XMLAttributes) {
        depth += 1
        handler.startElement(name, attributes: attributes)
    }

    private mutating func end(_ name: XMLElementName) {
        depth -= 1
        handler.endElement(name)
    }

    /// Mutating, because `pointee` would be copied for a call that is not.
    mutating func characters(_ text: UnsafeRawBufferPointer) { unsafe handler.characters(text) }

    private mutating func note(_ error: xmlError) {
        var line = unsafe error.message.map { unsafe String(cString: $0) } ?? "unknown fault"
        while let last = line.last, last.isWhitespace { line.removeLast() }
        latest = unsafe XMLError(code: Int(error.code), message: line)
        if unsafe error.code == XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue { undeclaredPrefix = undeclaredPrefix ?? line }
    }
}
