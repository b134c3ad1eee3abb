/// Why a document was not parsed to its end.
public struct XMLError: Error, Equatable, CustomStringConvertible {
    public enum Kind: Equatable, Sendable {
        /// libxml2 stopped, with an error number from xmlerror.h.
        case syntax(code: Int)
        /// libxml2 is missing or out of memory.
        case unavailable
    }
    public var kind: Kind
    /// libxml2's message.
    public var message: String
    /// From 1; 0 if unknown.
    public var line: Int
    /// From 1; 0 if unknown.
    var column: Int
    public var description: String { "\(message) at line \(line), column \(column)" }
}
