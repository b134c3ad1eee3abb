internal import CLibXML2
internal import Glibc

/// The name of an element or attribute, as pointers into the parser's dictionary.
///
/// Within one parser equal names have equal pointers, so a handler may keep and compare the pointers of resolved names.
/// They are valid as long as the parser.
@safe public struct XMLElementName {
    /// Zero-terminated UTF-8, without prefix.
    public let local: UnsafePointer<UInt8>
    /// As written, zero-terminated; nil if there is none.
    public let prefix: UnsafePointer<UInt8>?
    /// The namespace, zero-terminated; nil without one and for an undeclared prefix.
    public let uri: UnsafePointer<UInt8>?

    public var localName: String { unsafe String(cString: local) }
    public var namespace: String? { unsafe uri.map { unsafe String(cString: $0) } }
}

/// The attributes of one element; valid during the call.
@safe public struct XMLAttributes {
    /// Five pointers for each: local name, prefix, namespace, begin and end of the value.
    private let base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
    /// Without namespace declarations.
    public let count: Int

    init(_ base: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// `index` must be below `count`.
    public func name(_ index: Int) -> XMLElementName {
        precondition(index >= 0 && index < count)
        let field = unsafe base! + 5 * index
        return unsafe XMLElementName(local: field[0]!, prefix: field[1], uri: field[2])
    }

    /// UTF-8, references resolved; valid during the call. `index` must be below `count`.
    public func value(_ index: Int) -> UnsafeRawBufferPointer {
        precondition(index >= 0 && index < count)
        let field = unsafe base! + 5 * index
        return unsafe UnsafeRawBufferPointer(start: field[3], count: field[4]! - field[3]!)
    }

    /// The first attribute with this local name, ignoring case, without a namespace, like nearly all in feeds.
    public func value(named name: StaticString) -> UnsafeRawBufferPointer? {
        for index in 0..<count {
            let field = unsafe base! + 5 * index
            if unsafe field[1] == nil && name.isSpelt(like: field[0]!) { return unsafe value(index) }
        }
        return nil
    }

    /// The first attribute with this local name, ignoring case, in this namespace or with this undeclared prefix.
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
    /// Compares with a zero-terminated text, ignoring the case of ASCII letters. The first byte usually decides.
    fileprivate func isSpelt(like other: UnsafePointer<UInt8>) -> Bool {
        guard unsafe (other.pointee ^ utf8Start.pointee) & ~0x20 == 0 else { return false }
        // A static string literal is zero-terminated in memory.
        return unsafe isEqual(to: other)
            || strcasecmp(
                UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self),
                UnsafeRawPointer(other).assumingMemoryBound(to: CChar.self)) == 0
    }

    /// Compares with a zero-terminated text.
    fileprivate func isEqual(to other: UnsafePointer<UInt8>) -> Bool {
        // A static string literal is zero-terminated in memory.
        unsafe strcmp(
            UnsafeRawPointer(utf8Start).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(other).assumingMemoryBound(to: CChar.self)) == 0
    }
}
