/// Why podcast-refresh gave no result.
public enum RefreshFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// It could not be started or waited for: the system's words.
    case cannotRun(String)
    /// Its output is not JSON: the last lines of its standard error.
    case invalidOutput(String)

    /// What failed, in one line.
    public var description: String {
        switch self {
        case .cannotRun(let cause): "cannot run podcast-refresh: \(cause)"
        case .invalidOutput(let complaint): "invalid output of podcast-refresh: \(complaint)"
        }
    }
}

/// Why a document cannot be transferred.
public enum TransferFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// Too many transfers are under way.
    case tooMany
    /// The document is larger than this many bytes.
    case tooLarge(Int64)
    case noUpload
    /// No export is under way.
    case noExport

    /// What failed, in one line.
    public var description: String {
        switch self {
        case .tooMany: "too many documents are being transferred"
        case .tooLarge(let limit): "a document may have at most \(limit >> 30) GiB"
        case .noUpload: "no document was uploaded"
        case .noExport: "no export is under way"
        }
    }
}
