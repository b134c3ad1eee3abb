public import FeedFiles
public import PodcastModel
internal import SystemCalls

/// A run of podcast-refresh that did not produce a picture.
public struct PictureFailure: Error {
    public let outcome: RefreshOutcome
}

extension RefreshRunner: PictureFetching {
    public func fetchPicture(of label: String, _ form: PictureForm) async throws -> [UInt8] {
        let document = try UnlinkedDocument(in: location.dataFolder)
        let options = ["--size", "\(form.side)", "--encoding", form.format.rawValue, "--quiet"]
        let outcome = try await run(["picture"] + options, on: [label], into: document)
        guard outcome.status == 0 else { throw PictureFailure(outcome: outcome) }
        return try StoredFile.read(document.descriptor.raw, at: 0, count: Self.largestPicture)
    }

    private static let largestPicture = 2 << 20
}
