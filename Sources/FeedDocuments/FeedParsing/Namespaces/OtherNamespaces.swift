internal import PodcastModel
internal import XMLEvents

extension FeedNamespace {
    /// The content module of RSS 1.0: web.resource.org/rss/1.0/modules/content.
    static let content = FeedNamespace("content", ["purl.org/rss/1.0/modules/content"]) { scope, element in
        switch (scope, element) {
        case (.item, "encoded"): .item(.content, .own, .markup)
        case (.channel, "encoded"): .channel(.summary, .fallback, .markup)
        default: nil
        }
    }

    /// Enclosures of RSS 1.0, the module "mod_enclosure", whose attributes are in RDF's and the module's namespace.
    static let enclosure = FeedNamespace("enc", ["purl.oclc.org/net/rss_2.0/enc"]) { scope, element in
        guard scope == .item, element == "enclosure" else { return nil }
        return .attributes { draft, attributes in
            func value(_ name: StaticString) -> ElementText? {
                ElementText(
                    trimming: attributes.value(named: name, prefix: "enc", uri: "http://purl.oclc.org/net/rss_2.0/enc#")
                )
            }
            let resource = attributes.value(
                named: "resource", prefix: "rdf", uri: "http://www.w3.org/1999/02/22-rdf-syntax-ns#")
            guard let source = ElementText(trimming: resource) ?? value("url"), let url = draft.base.resolve(source)
            else { return }
            let length = value("length").flatMap(RSSNamespace.announcedLength)
            draft.item.plain.enclosures.append(
                Enclosure(url: url, type: value("type")?.string, length: length), upTo: draft.limits.listMembers)
        }
    }

    /// Dublin Core: dublincore.org/documents/dces.
    static let dublinCore = FeedNamespace("dc", ["purl.org/dc/elements/1.1", "purl.org/dc/elements/1.0"]) {
        scope, element in
        switch (scope, element) {
        case (.channel, "title"): .channel(.title, .fallback)
        case (.channel, "description"): .channel(.summary, .other, .markup)
        case (.channel, "language"): .channel(.language, .secondary)
        case (.channel, "creator"), (.channel, "author"): .channel(.author, .secondary)
        case (.channel, "publisher"): .channel(.author, .fallback)
        case (.channel, "subject"): .text { $0.addCategory($1) }
        case (.item, "title"): .item(.title, .fallback)
        case (.item, "description"): .item(.summary, .other, .markup)
        case (.item, "creator"), (.item, "author"): .item(.author, .secondary)
        case (.item, "date"): .text { $0.item.published.offer(.other, FeedDate.parse($1)) }
        case (.item, "identifier"): .item(.guid, .fallback)
        default: nil
        }
    }

    /// Dublin Core terms: dublincore.org/documents/dcmi-terms.
    static let dublinTerms = FeedNamespace("dcterms", ["purl.org/dc/terms"]) { scope, element in
        switch (scope, element) {
        case (.item, "issued"), (.item, "created"): .text { $0.item.published.offer(.other, FeedDate.parse($1)) }
        case (.item, "modified"): .text { $0.item.published.offer(.fallback, FeedDate.parse($1)) }
        default: nil
        }
    }

    /// Feed paging and archiving: RFC 5005.
    static let history = FeedNamespace("fh", ["purl.org/syndication/history/1.0"]) { scope, element in
        switch (scope, element) {
        case (.channel, "complete"): .attributes { draft, _ in draft.channel.plain.holdsEverything = true }
        case (.channel, "archive"): .attributes { draft, _ in draft.channel.plain.isArchive = true }
        default: nil
        }
    }

    static let xhtml = FeedNamespace("xhtml", ["w3.org/1999/xhtml"]) { scope, element in
        guard scope == .item, element == "body" || element == "div" else { return nil }
        return .item(.content, .other, .markup)
    }

    /// Podlove simple chapters: podlove.org/simple-chapters.
    static let podlove = FeedNamespace("psc", ["podlove.org/simple-chapters"]) { scope, element in
        switch (scope, element) {
        case (.item, "chapters"): .enter(.chapters)
        case (.chapters, "chapter"):
            .attributes { draft, attributes in
                guard let start = attributes.text("start").flatMap(AnnouncedTime.start) else { return }
                let chapter = Chapter(
                    start: start, title: attributes.text("title")?.string, link: draft.base.url(attributes, "href"),
                    image: draft.base.url(attributes, "image"))
                draft.item.plain.chapters.append(chapter, upTo: draft.limits.listMembers)
            }
        default: nil
        }
    }

    static let mediaRSS = FeedNamespace(
        "media", ["search.yahoo.com/mrss", "video.search.yahoo.com/mrss", "tools.search.yahoo.com/mrss"],
        MediaRSSNamespace.rule)
}

/// Media RSS: rssboard.org/media-rss.
enum MediaRSSNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch (scope, element) {
        case (.item, "group"): .enter(.mediaGroup)
        case (.item, "content"), (.mediaGroup, "content"): .enter(.mediaGroup, content)
        case (.item, "title"), (.mediaGroup, "title"): .item(.title, .other)
        case (.item, "description"), (.mediaGroup, "description"):
            .item(.summary, .other, .markup)
        case (.item, "thumbnail"), (.mediaGroup, "thumbnail"):
            .attributes { $0.item[.image].offer(.secondary, $0.base.url($1, "url")) }
        case (.channel, "thumbnail"): .attributes { $0.channel[.image].offer(.fallback, $0.base.url($1, "url")) }
        case (.channel, "content"):
            .attributes { draft, attributes in
                if isImage(attributes) { draft.channel[.image].offer(.fallback, draft.base.url(attributes, "url")) }
            }
        default: nil
        }
    }

    private static func isImage(_ attributes: XMLAttributes) -> Bool { isOf("image", "image/", attributes) }

    private static func isOf(_ medium: StaticString, _ type: StaticString, _ attributes: XMLAttributes) -> Bool {
        attributes.text("medium")?.equals(medium) ?? false || attributes.text("type")?.hasPrefix(type) ?? false
    }

    private static func content(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let url = draft.base.url(attributes, "url") else { return }
        if isImage(attributes) { return draft.item[.image].offer(.other, url) }
        let length = attributes.text("fileSize").flatMap(RSSNamespace.announcedLength)
        let file = Enclosure(url: url, type: attributes.text("type")?.string, length: length)
        guard isOf("audio", "audio/", attributes) || isOf("video", "video/", attributes) || file.isNamedMedia else {
            return
        }
        draft.item.media.append(file, upTo: draft.limits.listMembers)
        if let duration = attributes.text("duration") {
            draft.item.duration.offer(.fallback, AnnouncedTime.duration(duration))
        }
    }
}
