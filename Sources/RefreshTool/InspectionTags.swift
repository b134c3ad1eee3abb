internal import JSON
internal import PodcastModel

/// The tags of the Podcasting 2.0 namespace.
extension InspectionJSON {
    static func live(_ live: LiveItem, _ notes: InspectedNotes) -> JSONValue {
        object([
            ("status", JSONValue(live.status)), ("start", JSONValue(live.start?.description)),
            ("end", JSONValue(live.end?.description)), ("item", item(live.item, notes)),
        ])
    }

    static func location(_ location: Location) -> JSONValue {
        object([
            ("name", .string(location.name)), ("geo", JSONValue(location.geo)),
            ("osm", JSONValue(location.openStreetMap)), ("country", JSONValue(location.country)),
            ("rel", JSONValue(location.rel)),
        ])
    }

    static func soundbite(_ soundbite: Soundbite) -> JSONValue {
        object([
            ("start", JSONValue(soundbite.start.seconds)), ("duration", JSONValue(soundbite.duration.seconds)),
            ("title", JSONValue(soundbite.title)),
        ])
    }
}
