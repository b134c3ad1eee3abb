/// How much of a document the parser takes before it refuses the rest; libxml2's own caps are off.
public struct XMLLimits: Equatable, Sendable {
    /// Elements open at once.
    public var depth: Int
    /// Attributes of one element, namespace declarations not counted.
    public var attributes: Int
    /// Bytes of text between two tags, as UTF-8.
    public var textBytes: Int
    /// Bytes of one tag, attributes included; what the parser holds at most while it waits for the tag's end.
    public var tagBytes: Int
    /// Bytes of the whole document.
    public var documentBytes: Int

    /// Caps that no honest feed comes near.
    public init(
        depth: Int = 256, attributes: Int = 256, textBytes: Int = 32 << 20, tagBytes: Int = 2 << 20,
        documentBytes: Int = 128 << 20
    ) {
        self.depth = depth
        self.attributes = attributes
        self.textBytes = textBytes
        self.tagBytes = tagBytes
        self.documentBytes = documentBytes
    }
}

/// Why a document was not read to its end.
public struct XMLError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of refusal.
    public enum Kind: Equatable, Sendable {
        /// libxml2 cannot go on: xmlerror.h has the number.
        case syntax(code: Int)
        /// One of `XMLLimits` was passed.
        case limit
        /// libxml2 found no memory.
        case outOfMemory
    }
    /// What happened.
    public var kind: Kind
    /// libxml2's own words, or the limit's.
    public var message: String
    /// Line of the text that was parsed, from 1; 0 when unknown.
    public var line: Int
    /// Column of the text that was parsed, from 1; 0 when unknown.
    public var column: Int
    /// All in one line.
    public var description: String { "\(message) at line \(line), column \(column)" }
}
