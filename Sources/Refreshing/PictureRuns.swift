public import Pictures
internal import SystemCalls

/// A run of podcast-refresh that brought no picture.
public struct PictureFailure: Error {
    public let outcome: RefreshOutcome
}

extension RefreshRunner: PictureFetching {
    public func fetchPicture(of label: String, side: Int) async throws -> [UInt8] {
        let document = try UnlinkedDocument(in: location.dataFolder)
        let outcome = try await run(["picture", "--size", "\(side)", "--quiet"], on: [label], into: document)
        guard outcome.status == 0 else { throw PictureFailure(outcome: outcome) }
        return try StoredFile.read(document.descriptor.raw, at: 0, count: Self.largestPicture)
    }

    private static let largestPicture = 2 << 20
}
