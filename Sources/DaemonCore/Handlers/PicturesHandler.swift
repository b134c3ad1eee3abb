internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import PodcastModel
internal import SerialThreads

struct PicturesHandler {
    let decisions: DecisionThread
    let library: LibraryService
    let pictures: PictureService
    let probe: FileProbe

    var answers: [AnsweredCommand] { [decisions.answer(picture)] }

    /// Where the cover of something may be.
    private struct Places {
        /// Of the feed or the episode.
        var label: String
        /// What the publisher names for it alone.
        var own: CoverSource?
        var file: String?
        /// The feed of an episode, with its cover.
        var feed: (label: String, cover: CoverSource)?
    }

    /// The publisher's picture of an episode is the most certain. A picture in the file may be the cover of the whole show, but is on disk.
    private func picture(_ request: GetPicture) async throws -> PictureReply {
        let places = try await library.read { try Self.places(of: request.what, in: $0) }
        var failure: ControlError?
        do {
            if let own = places.own { return try await published(own, of: places.label, request.copy) }
        } catch let error as ControlError {
            failure = error
        }
        if let file = places.file, let copy = try await embedded(in: file, request.copy) {
            return PictureReply(copy, request.copy.format, of: file)
        }
        if let failure { throw failure }
        guard let feed = places.feed else {
            throw ControlError(.notFound, "\(places.label): its feed names no picture")
        }
        return try await published(feed.cover, of: feed.label, request.copy)
    }

    /// Whether there is a picture of an episode, as far as that is known without a request to a server.
    func hasPicture(of id: EpisodeID, inFile file: String?) async throws -> Bool {
        if try await library.read({ try $0.texts.cover(of: .episode(id)) }) != nil { return true }
        guard let file else { return false }
        return try await embedded(in: file, GetPicture().copy) != nil
    }

    private static func places(of what: String, in store: LibraryStore) throws -> Places {
        let found = try store.names.resolve(Name(what, number: .episode), word: what, .feedOrEpisode, isExact: false)
        guard found.count == 1 else {
            throw LibraryError.refused("'\(what)' names several; only one picture can be shown")
        }
        let cover = try store.texts.cover(of: found[0])
        switch found[0] {
        case .feed(let id): return Places(label: id.label, own: cover)
        case .episode(let id):
            let episode = try store.episodes.episode(id)
            let ofFeed = try store.texts.cover(of: .feed(episode.feed))
            return Places(
                label: id.label, own: cover?.url == ofFeed?.url ? nil : cover, file: episode.enclosure.url,
                feed: ofFeed.map { (episode.feed.label, $0) })
        }
    }

    private func published(_ cover: CoverSource, of label: String, _ form: PictureForm) async throws -> PictureReply {
        PictureReply(try await pictures.copy(of: cover.url, named: label, form), form.format, of: cover.url)
    }

    private func embedded(in file: String, _ form: PictureForm) async throws -> [UInt8]? {
        try await pictures.copy(inFileOf: file, form) { await probe.cover(inFileOf: file) }
    }
}
