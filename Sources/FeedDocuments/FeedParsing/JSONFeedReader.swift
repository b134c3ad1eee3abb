internal import JSON
internal import PodcastModel

/// Parses JSON Feed, versions 1 and 1.1 (https://jsonfeed.org/version/1.1), as its bytes arrive.
final class JSONFeedReader {
    private static let versions = ["https://jsonfeed.org/version/", "http://jsonfeed.org/version/"]
    /// Maximum items to hold before the version is known; the version is usually the first member.
    private static let heldItems = 1_000

    private var pieces = JSONPieces()
    private(set) var draft: FeedDraft
    /// True if the document declares a version of JSON Feed.
    private(set) var isFeed = false
    /// The reason that parsing stopped; the content read before is kept.
    private(set) var failure: String?
    private var held: [JSONValue] = []
    private let values: JSONValues

    init(baseURL: String, limits: FeedLimits) {
        draft = FeedDraft(baseURL: baseURL, limits: limits)
        values = JSONValues(base: draft.base, textBytes: limits.textBytes)
    }

    /// True if a document that begins with these bytes is JSON, judged by the first byte that is neither a space nor
    /// part of a byte order mark; nil if there is none yet.
    static func isJSON(_ bytes: UnsafeRawBufferPointer) -> Bool? {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return first.map { $0 == .openingBrace }
    }

    func feed(_ bytes: UnsafeRawBufferPointer) {
        keepFailure { () throws(JSONError) in
            _ = try pieces.read(bytes) { piece, _ in
                read(piece)
                return true
            }
        }
    }

    func finish() { keepFailure { () throws(JSONError) in try pieces.finish() } }

    private func keepFailure(_ step: () throws(JSONError) -> Void) {
        guard failure == nil else { return }
        do throws(JSONError) { try step() } catch { failure = error.message }
    }

    private func read(_ piece: JSONPiece) {
        switch piece {
        case .member(let name, let value): readMember(name, value)
        case .element(of: "items", let value):
            if isFeed { read(item: value) } else { held.append(value, upTo: Self.heldItems) }
        case .element(of: "authors", let value): draft.channel[.author].offer(.own, values.text(value["name"]))
        case .element: break
        }
    }

    private func readMember(_ name: String, _ value: JSONValue) {
        switch name {
        case "version":
            guard let text = value.stringValue, let known = Self.versions.first(where: text.hasPrefix) else { return }
            isFeed = true
            draft.format = "JSON Feed \(text.dropFirst(known.count).prefix(8))"
            for item in held { read(item: item) }
            held = []
        case "title": draft.channel[.title].offer(.own, values.text(value))
        case "home_page_url": draft.channel[.link].offer(.own, values.url(value))
        case "feed_url": draft.channel.plain.selfURL = values.url(value)
        case "description": draft.channel[.summary].offer(.own, values.text(value).map(JSONValues.escaped))
        case "language": draft.channel[.language].offer(.own, values.text(value))
        case "icon": draft.channel[.image].offer(.own, values.url(value))
        case "favicon": draft.channel[.image].offer(.fallback, values.url(value))
        case "next_url": draft.channel.plain.nextPage = values.url(value)
        // Version 1 has one author.
        case "author": draft.channel[.author].offer(.secondary, values.text(value["name"]))
        case "expired": draft.channel.plain.complete = value.boolValue
        default: break
        }
    }

    private func read(item value: JSONValue) {
        draft.beginItem()
        draft.item[.guid].offer(.own, values.text(value["id"]) ?? value["id"]?.integerValue.map(String.init))
        draft.item[.title].offer(.own, values.text(value["title"]))
        draft.item[.link].offer(.own, values.url(value["url"]) ?? values.url(value["external_url"]))
        draft.item[.summary].offer(.own, values.text(value["summary"]).map(JSONValues.escaped))
        draft.item[.content].offer(
            .own, values.text(value["content_html"]) ?? values.text(value["content_text"]).map(JSONValues.escaped))
        draft.item[.image].offer(.own, values.url(value["image"]) ?? values.url(value["banner_image"]))
        draft.item.published.offer(.own, values.date(value["date_published"]))
        draft.item.published.offer(.fallback, values.date(value["date_modified"]))
        let author = value["authors"]?.arrayValue?.first ?? value["author"]
        draft.item[.author].offer(.own, values.text(author?["name"]))
        for attachment in value["attachments"]?.arrayValue ?? [] {
            guard let url = values.url(attachment["url"]) else { continue }
            let seconds = attachment["duration_in_seconds"]?.numberValue ?? 0
            if seconds > 0, seconds < 1e7 { draft.item.duration.offer(.own, MediaTime(seconds: seconds)) }
            let length = attachment["size_in_bytes"]?.integerValue
            let enclosure = Enclosure(
                url: url, type: values.text(attachment["mime_type"]), length: length.flatMap { $0 > 0 ? $0 : nil })
            draft.item.plain.enclosures.append(enclosure, upTo: draft.limits.listMembers)
        }
        draft.endItem()
    }
}

private struct JSONValues {
    let base: FeedURL
    let textBytes: Int

    /// A text without surrounding spaces; nil if it is empty or too long.
    func text(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, text.utf8.count <= textBytes else { return nil }
        return ElementText.reading(text, \.string)
    }

    func url(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue else { return nil }
        return ElementText.reading(text, base.resolve)
    }

    func date(_ value: JSONValue?) -> Timestamp? {
        guard let text = value?.stringValue else { return nil }
        return ElementText.reading(text, FeedDate.parse)
    }

    /// Plain text as HTML, which readers of notes expect.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == .less || $0 == .ampersand }) else { return text }
        return text.escapedForMarkup.replacing("\r\n", with: "\n").replacing("\n", with: "<br>\n")
    }
}
