/// Why a document was not parsed to its end.
public struct XMLError: Error, Equatable {
    /// libxml2's number of the error, from xmlerror.h; 0 for another one.
    public var code: Int
    public var message: String
}
