internal import ControlLanguage
internal import ControlProtocol
internal import LibraryModel
internal import Pictures
internal import PodcastModel
internal import Refreshing
internal import WireMapping

/// Answers `episodes.picture`.
struct PictureHandler: Sendable {
    let library: any LibraryAccess
    let pictures: PictureService

    func picture(_ request: GetPicture) async throws -> PictureReply {
        let (object, cover) = try await library.read { store in
            let found = try store.names.resolve(
                Name(request.what, number: .episode), word: request.what, .feedOrEpisode, isExact: false)
            guard found.count == 1 else {
                throw LibraryError.refused("'\(request.what)' names several; only one picture can be shown")
            }
            return (found[0], try store.texts.cover(of: found[0]))
        }
        guard let cover else { throw ControlError(.notFound, "\(object.label): its feed names no picture") }
        do {
            let copy = try await pictures.copy(of: cover.url, named: object.label, request.copy)
            return PictureReply(copy, request.copy.format, of: cover.url)
        } catch is PictureService.FailedRecently {
            throw ControlError(
                .unavailable, "the picture of \(object.label) could not be fetched; it is tried again after an hour")
        } catch let failure as PictureFailure {
            throw ControlError(failure.outcome)
        }
    }
}

extension NamedCandidate.Object {
    fileprivate var label: String {
        switch self {
        case .feed(let id): id.label
        case .episode(let id): id.label
        }
    }
}
