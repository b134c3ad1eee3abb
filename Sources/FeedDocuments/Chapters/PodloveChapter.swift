internal import PodcastModel
internal import XMLEvents

/// A Podlove simple chapter (podlove.org/simple-chapters), in a feed or a separate document.
struct PodloveChapter: Equatable, Sendable {
    let start: MediaTime
    /// As written.
    let title: String?
    /// URL of a page about the chapter, as written.
    let link: String?
    /// URL of a picture, as written.
    let image: String?

    /// Reads the attributes of a `chapter` element; nil without a start time.
    init?(_ attributes: XMLAttributes) {
        func text(_ name: StaticString) -> String? {
            guard let value = attributes.value(named: name) else { return nil }
            let text = value.drop { $0 <= 0x20 }
            guard let last = text.lastIndex(where: { $0 > 0x20 }) else { return nil }
            return String(decoding: text[...last], as: UTF8.self)
        }
        guard let start = text("start").flatMap({ AnnouncedTime.start($0) }) else { return nil }
        self.start = start
        title = text("title")
        link = text("href")
        image = text("image")
    }
}
