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

    static func payment(_ terms: PaymentTerms) -> JSONValue {
        object([
            ("type", JSONValue(terms.type)), ("method", JSONValue(terms.method)),
            ("suggested", JSONValue(terms.suggested)), ("recipients", JSONValue(terms.recipients)),
        ])
    }

    static func alternate(_ form: AlternateEnclosure) -> JSONValue {
        object([
            ("type", JSONValue(form.type)), ("length", form.length.map(JSONValue.integer) ?? .null),
            ("bitrate", JSONValue(form.bitRate)), ("height", JSONValue(form.height)),
            ("lang", JSONValue(form.language)), ("title", JSONValue(form.title)),
            ("default", form.isDefault ? true : .null),
            (
                "integrity",
                form.integrity.map { ["type": .string($0.type), "value": .string($0.value)] } ?? .null
            ),
            (
                "sources",
                .array(form.sources.map { object([("uri", .string($0.uri)), ("contentType", JSONValue($0.type))]) })
            ),
        ])
    }
}
