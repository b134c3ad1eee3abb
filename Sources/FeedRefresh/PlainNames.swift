public import PodcastModel
internal import ShowNotes

extension FeedContents {
    /// The same with titles and names as plain text, as they are kept and shown: publishers write them as HTML, too.
    public var withPlainNames: FeedContents {
        var contents = self
        contents.channel.title.readName()
        contents.channel.author.readName()
        contents.channel.persons.readNames()
        contents.channel.locations.readNames()
        for index in contents.channel.funding.indices { contents.channel.funding[index].text.readName() }
        for index in contents.channel.liveItems.indices { contents.channel.liveItems[index].item.readNames() }
        for index in contents.items.indices { contents.items[index].readNames() }
        return contents
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
        for index in alternates.indices { alternates[index].title.readName() }
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

/// A title or a name, wherever it comes from.
public enum PlainName {
    /// It as plain text; nil when nothing is left.
    public static func read(_ text: String) -> String? { mayDiffer(text) ? LineText.line(text) : text }

    /// Whether there is HTML in it, or C1 control characters that were meant as something else. Most texts end here.
    fileprivate static func mayDiffer(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "<") || $0 == 0xC2 }
    }
}
