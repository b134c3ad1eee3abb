/// Reads one list, in pushes.
public struct OPMLParser: ~Copyable {
    /// A parser for one document; `contentType` is the Content-Type header, if there was one.
    public init(contentType: String? = nil) {}

    /// Takes the next bytes, of any number.
    public mutating func feed(_ bytes: UnsafeRawBufferPointer) throws(OPMLError) {}

    /// Tells that no byte follows.
    public consuming func finish() throws(OPMLError) -> OPMLDocument {
        throw .notOPML(reason: "empty")
    }
}
