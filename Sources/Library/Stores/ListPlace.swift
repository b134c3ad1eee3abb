internal import JSON

/// The place of an imported episode in a playlist by hand. Places are compared only with those of the same source.
public struct ListPlace: Equatable, Sendable {
    public var name: String
    public var place: Int64

    /// The maximum number of playlists that an episode may be in.
    static let maximumOfEpisode = 100

    public init(name: String, place: Int64) {
        self.name = name
        self.place = place
    }
}

extension [ListPlace] {
    /// The value of `imported_episode.lists`; nil for none.
    var storedText: String? {
        isEmpty ? nil : JSONValue.array(map { [.string($0.name), .integer($0.place)] }).text
    }

    init(stored: String?) {
        let lists = stored.flatMap { try? JSONValue(parsing: $0) }?.arrayValue ?? []
        self = lists.compactMap { list in
            guard let parts = list.arrayValue, parts.count == 2, let name = parts[0].stringValue,
                let place = parts[1].integerValue
            else { return nil }
            return ListPlace(name: name, place: place)
        }
    }

    /// The places behind all that the library has.
    func after(_ start: Int64) -> [ListPlace] {
        prefix(ListPlace.maximumOfEpisode).map {
            ListPlace(
                name: $0.name, place: QueueStore.bounded(QueueStore.bounded(start) + QueueStore.bounded($0.place)))
        }
    }
}
