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
