internal import CLibXML2
internal import Glibc

/// The name of an element or attribute, as pointers into the parser's dictionary.
///
/// Within one parser equal names have equal pointers, so a handler may keep and compare the pointers of names that it has
/// resolved. They are valid as long as the parser.
@safe public struct XMLElementName {
    /// The name without prefix, zero-terminated UTF-8.
    public let local: UnsafePointer<UInt8>
    /// The prefix as written, zero-terminated; nil if there is none.
    public let prefix: UnsafePointer<UInt8>?
    /// The namespace, zero-terminated; nil without one and for an undeclared prefix.
    public let uri: UnsafePointer<UInt8>?

    /// The name without prefix.
    public var localName: String { unsafe String(cString: local) }
    /// The prefix as written.
    public var prefixName: String? { unsafe prefix.map { unsafe String(cString: $0) } }
    public var namespace: String? { unsafe uri.map { unsafe String(cString: $0) } }
}

/// The attributes of one element; valid during the call.
@safe public struct XMLAttributes {
    /// Five pointers for each: local name, prefix, namespace, begin and end of the value.
    private let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    /// The number of attributes, without namespace declarations.
    public let count: Int

    init(_ base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// The name of an attribute by its index below `count`.
    public func name(_ index: Int) -> XMLElementName {
        precondition(index >= 0 && index < count)
        let field = unsafe base! + 5 * index
        return unsafe XMLElementName(local: field[0]!, prefix: field[1], uri: field[2])
    }

    /// The bytes of a value by its index below `count`: UTF-8, references resolved; valid during the call.
    public func value(_ index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count)
        let field = unsafe base! + 5 * index
        return unsafe UnsafeRawBufferPointer(start: field[3], count: field[4]! - field[3]!)
    }

    /// The bytes of the first attribute with that local name, in any case, and without a namespace, as feeds have nearly
    /// all of theirs.
    public func value(named name: StaticString) -> UnsafeRawBufferPointer? {
        for index in 0..<count {
            let field = unsafe base! + 5 * index
            if unsafe field[1] == nil && name.isSpelt(like: field[0]!) { return unsafe value(index) }
        }
        return nil
    }

    /// The bytes of the first attribute with that local name, in any case, in that namespace, or with that prefix undeclared.
    public func value(named name: StaticString, prefix: StaticString, uri: StaticString) -> UnsafeRawBufferPointer? {
        for index in 0..<count {
            let field = unsafe base! + 5 * index
            guard let written = unsafe field[1], unsafe name.isSpelt(like: field[0]!) else { continue }
            if let declared = unsafe field[2] {
                if unsafe uri.isEqual(to: declared) { return unsafe value(index) }
            } else if unsafe prefix.isEqual(to: written) {
                return unsafe value(index)
            }
        }
        return nil
    }
}

extension StaticString {
    /// Whether a zero-terminated text is the same except for the case of ASCII letters. The first byte usually decides.
    fileprivate func isSpelt(like other: UnsafePointer<UInt8>) -> Bool {
        guard unsafe (other.pointee ^ utf8Start.pointee) & ~0x20 == 0 else { return false }
        // A static string literal is zero-terminated in memory.
        return unsafe isEqual(to: other)
            || strcasecmp(
                UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self),
                UnsafeRawPointer(other).assumingMemoryBound(to: CChar.self)) == 0
    }

    /// Whether a zero-terminated text is the same.
    fileprivate func isEqual(to other: UnsafePointer<UInt8>) -> Bool {
        // A static string literal is zero-terminated in memory.
        unsafe strcmp(
            UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(other).assumingMemoryBound(to: CChar.self)) == 0
    }
}
