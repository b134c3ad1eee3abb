/// Why podcast-refresh gave no result.
public enum RefreshFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program could not be started or waited for: the system's error message.
    case cannotRun(String)
    /// The output is not JSON: the last lines of standard error.
    case invalidOutput(String)

    public var description: String {
        switch self {
        case .cannotRun(let cause): "cannot run podcast-refresh: \(cause)"
        case .invalidOutput(let complaint): "invalid output of podcast-refresh: \(complaint)"
        }
    }
}

/// Why a document cannot be transferred.
public enum TransferFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case tooMany
    /// Larger than this number of bytes.
    case tooLarge(Int64)
    case noUpload
    case noExport

    public var description: String {
        switch self {
        case .tooMany: "too many documents are being transferred"
        case .tooLarge(let limit): "a document may have at most \(limit >> 30) GiB"
        case .noUpload: "no document was uploaded"
        case .noExport: "no export is under way"
        }
    }
}
