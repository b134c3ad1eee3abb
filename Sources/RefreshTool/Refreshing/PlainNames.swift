internal import FeedDocuments
internal import PodcastModel

extension FeedContents {
    /// Converts titles and names to plain text, because publishers write them as HTML, too.
    mutating func readNames() {
        var reader = NameReader()
        channel.declareMembers(&reader)
        for index in items.indices { items[index].declareMembers(&reader) }
    }
}

private struct NameReader: MemberVisitor {
    var isIncomplete = false

    func visit(_ member: PublishedMember, _ text: inout String?) {
        if member.bound == .title, let name = text, PlainName.mayDiffer(name) { text = LineText.line(name) }
    }

    /// Removes objects without a name.
    mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {
        for index in objects.indices.reversed() {
            isIncomplete = false
            objects[index].declareMembers(&self)
            if isIncomplete { objects.remove(at: index) }
        }
    }
}

/// Converts a title or name to plain text.
enum PlainName {
    /// Nil if nothing is left.
    static func read(_ text: String) -> String? { mayDiffer(text) ? LineText.line(text) : text }

    /// True if the text contains HTML, or C1 control characters that were meant as something else. Most texts do not.
    fileprivate static func mayDiffer(_ text: String) -> Bool {
        text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.contains { $0 == .ampersand || $0 == .less || $0 == 0xC2 }
        } ?? true
    }
}
