internal import JSON
internal import PodcastModel

extension Person {
    var json: JSONValue {
        .object {
            $0.add("name", name)
            $0.add("role", role)
            $0.add("href", href)
            $0.add("image", image)
        }
    }

    init?(_ json: JSONValue) {
        guard let name = json.text("name") else { return nil }
        self.init(name: name, role: json.text("role"), href: json.text("href"), image: json.text("image"))
    }
}

extension Soundbite {
    var json: JSONValue {
        .object {
            $0.add("start", start)
            $0.add("duration", duration)
            $0.add("title", title)
        }
    }

    init?(_ json: JSONValue) {
        guard let start = json.time("start"), let duration = json.time("duration") else { return nil }
        self.init(start: start, duration: duration, title: json.text("title"))
    }
}

extension Location {
    var json: JSONValue {
        .object {
            $0.add("name", name)
            $0.add("geo", geo)
            $0.add("osm", openStreetMap)
            $0.add("country", country)
            $0.add("rel", rel)
        }
    }

    init?(_ json: JSONValue) {
        guard let name = json.text("name") else { return nil }
        self.init(name: name)
        geo = json.text("geo")
        openStreetMap = json.text("osm")
        country = json.text("country")
        rel = json.text("rel")
    }
}

extension AlternateEnclosure {
    var json: JSONValue {
        .object {
            $0.add("type", type)
            $0.add("length", length)
            $0.add("bitRate", bitRate.map(Int64.init))
            $0.add("height", height.map(Int64.init))
            $0.add("language", language)
            $0.add("title", title)
            $0.add("default", flag: isDefault)
            $0.add("sources", sources) { source in
                .object {
                    $0.add("uri", source.uri)
                    $0.add("type", source.type)
                }
            }
            $0.add(
                "integrity",
                integrity.map { integrity in
                    .object {
                        $0.add("type", integrity.type)
                        $0.add("value", integrity.value)
                    }
                })
        }
    }

    init?(_ json: JSONValue) {
        self.init()
        type = json.text("type")
        length = json.integer("length")
        bitRate = json.integer("bitRate").map { Int(clamping: $0) }
        height = json.integer("height").map { Int(clamping: $0) }
        language = json.text("language")
        title = json.text("title")
        isDefault = json["default"]?.boolValue ?? false
        sources = json.list("sources") { source in
            source.text("uri").map { Source(uri: $0, type: source.text("type")) }
        }
        if let digest = json["integrity"], let type = digest.text("type"), let value = digest.text("value") {
            integrity = Integrity(type: type, value: value)
        }
        if sources.isEmpty { return nil }
    }
}

extension PaymentTerms {
    var json: JSONValue {
        .object {
            $0.add("type", type)
            $0.add("method", method)
            $0.add("suggested", suggested)
            $0.add("recipients", recipients)
        }
    }

    init?(_ json: JSONValue) {
        self.init()
        type = json.text("type")
        method = json.text("method")
        suggested = json.text("suggested")
        recipients = json.text("recipients")
    }
}

extension Funding {
    var json: JSONValue {
        .object {
            $0.add("url", url)
            $0.add("text", text)
        }
    }

    init?(_ json: JSONValue) {
        guard let url = json.text("url") else { return nil }
        self.init(url: url, text: json.text("text"))
    }
}

extension LiveItem {
    /// Of a stream's elements, only those needed to find it and to listen.
    var json: JSONValue {
        .object {
            $0.add("status", status)
            $0.add("start", start?.description)
            $0.add("end", end?.description)
            $0.add("guid", item.guid)
            $0.add("title", item.title)
            $0.add("link", item.link)
            $0.add("url", item.enclosures.first?.url)
            $0.add("type", item.enclosures.first?.type)
        }
    }

    init?(_ json: JSONValue) {
        guard case .object = json else { return nil }
        self.init()
        status = json.text("status")
        start = json.text("start").flatMap(Timestamp.init(parsing:))
        end = json.text("end").flatMap(Timestamp.init(parsing:))
        item.guid = json.text("guid")
        item.title = json.text("title")
        item.link = json.text("link")
        item.enclosures = json.text("url").map { [Enclosure(url: $0, type: json.text("type"))] } ?? []
    }
}

extension JSONValue {
    fileprivate static func object(_ fill: (inout MemberList) -> Void) -> JSONValue { MemberList.object(fill) }
}
