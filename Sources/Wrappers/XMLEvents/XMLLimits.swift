/// Limits of a document, instead of libxml2's own: far above the needs of real feeds.
public struct XMLLimits: Equatable, Sendable {
    var depth = 256
    /// Attributes of one element, without namespace declarations.
    var attributes = 256
    /// Bytes of text between two tags, as UTF-8.
    public var textBytes = 32 << 20
    /// Bytes of one tag with its attributes: the maximum that the parser keeps while it waits for the end of the tag.
    var tagBytes = 2 << 20
    public var documentBytes = 128 << 20

    public init() {}
}

/// Why a document was not parsed to its end.
public struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// libxml2 stopped, with an error number from xmlerror.h.
        case syntax(code: Int)
        /// One of `XMLLimits` was exceeded.
        case limit
        /// libxml2 is out of memory.
        case outOfMemory
    }
    public var kind: Kind
    /// libxml2's message, or the limit.
    public var message: String
    /// From 1; 0 if unknown.
    public var line: Int
    /// From 1; 0 if unknown.
    var column: Int
    public var description: String { "\(message) at line \(line), column \(column)" }
}
