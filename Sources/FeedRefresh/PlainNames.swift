internal import FeedDocuments
public import PodcastModel

extension FeedContents {
    /// Converts titles and names to plain text, because publishers write them as HTML, too.
    public mutating func readNames() {
        channel.title.readName()
        channel.author.readName()
        channel.persons.readNames()
        for index in items.indices { items[index].readNames() }
    }
}

extension Item {
    fileprivate mutating func readNames() {
        title.readName()
        author.readName()
        seasonName.readName()
        episodeName.readName()
        for index in chapters.indices { chapters[index].title.readName() }
        persons.readNames()
        locations.readNames()
        for index in soundbites.indices { soundbites[index].title.readName() }
    }
}

extension [Person] {
    fileprivate mutating func readNames() {
        for index in indices { self[index].name = PlainName.read(self[index].name) ?? "" }
    }
}

extension [Location] {
    fileprivate mutating func readNames() {
        for index in indices { self[index].name = PlainName.read(self[index].name) ?? "" }
    }
}

extension String? {
    fileprivate mutating func readName() {
        if let text = self, PlainName.mayDiffer(text) { self = LineText.line(text) }
    }
}

/// Converts a title or name to plain text.
public enum PlainName {
    /// Nil if nothing is left.
    public static func read(_ text: String) -> String? { mayDiffer(text) ? LineText.line(text) : text }

    /// True if the text contains HTML, or C1 control characters that were meant as something else. Most texts do not.
    fileprivate static func mayDiffer(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == 0xC2 }
        } ?? true
    }
}
