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

extension ListPlace: StoredElement {
    var parts: [JSONValue] { [name.json, place.json] }

    init?(_ parts: [JSONValue]) {
        guard parts.count == 2, let name = parts[0].stringValue, let place = parts[1].integerValue else { return nil }
        self.init(name: name, place: place)
    }
}

extension [ListPlace] {
    /// The places behind all that the library has.
    func after(_ start: Int64) -> [ListPlace] {
        prefix(ListPlace.maximumOfEpisode).map {
            ListPlace(
                name: $0.name, place: QueueStore.bounded(QueueStore.bounded(start) + QueueStore.bounded($0.place)))
        }
    }
}

/// An element of a list in a column of `imported_episode`, which is a JSON array of arrays.
protocol StoredElement {
    var parts: [JSONValue] { get }
    /// Nil if the parts are not valid.
    init?(_ parts: [JSONValue])
}

extension Array where Element: StoredElement {
    /// Nil for none.
    var storedText: String? { isEmpty ? nil : JSONValue.array(map { .array($0.parts) }).text }

    init(stored: String?) {
        let parsed = stored.flatMap { try? JSONValue(parsing: $0) }
        self = (parsed?.arrayValue ?? []).compactMap { $0.arrayValue.flatMap(Element.init) }
    }
}
