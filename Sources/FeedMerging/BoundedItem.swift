public import LibraryModel
public import PodcastModel

// What of a document is stored: `StoredLimits`. Both the digests and the rows are made of the bounded values, so a document
// that exceeds a limit is not rewritten at each refresh.

extension FeedContents {
    /// What would be left out of the document because of the limits of an episode; a library may leave out more because of
    /// the limits of the feed.
    public var leftOut: LeftOut {
        var leftOut = LeftOut()
        _ = channel.bounded(&leftOut)
        for item in items { _ = item.bounded(&leftOut) }
        return leftOut
    }
}

extension Item {
    /// The item with what is stored of it.
    public func bounded(_ leftOut: inout LeftOut) -> Item {
        var item = self
        Bound.guid(&item.guid, &leftOut)
        // Key paths would cost more than the rest of this function.
        Bound.url(&item.link, &leftOut)
        Bound.url(&item.image, &leftOut)
        Bound.url(&item.chaptersURL, &leftOut)
        Bound.notes(&item.summary, &leftOut)
        Bound.notes(&item.content, &leftOut)
        Bound.line(&item.episodeType, &leftOut)
        Bound.list(&item.enclosures, StoredLimits.enclosures, \.url, &leftOut) { Bound.line(&$0.type, &$1) }
        Bound.list(&item.chapters, StoredLimits.chapters, nil, &leftOut) { chapter, leftOut in
            Bound.url(&chapter.link, &leftOut)
            Bound.url(&chapter.image, &leftOut)
        }
        Bound.list(&item.transcripts, StoredLimits.transcripts, \.url, &leftOut) { transcript, leftOut in
            for field in [\TranscriptReference.type, \.language, \.rel] {
                Bound.line(&transcript[keyPath: field], &leftOut)
            }
        }
        Bound.persons(&item.persons, &leftOut)
        Bound.list(&item.soundbites, EpisodeDetails.listMembers, nil, &leftOut) { _, _ in }
        Bound.locations(&item.locations, &leftOut)
        return item
    }
}

extension Channel {
    /// The feed's description with what is stored of it.
    public func bounded(_ leftOut: inout LeftOut) -> Channel {
        var channel = self
        for field in [\Channel.link, \.image, \.nextPage, \.previousArchive, \.newFeedURL] {
            Bound.url(&channel[keyPath: field], &leftOut)
        }
        for field in [\Channel.language, \.type, \.medium] { Bound.line(&channel[keyPath: field], &leftOut) }
        Bound.guid(&channel.guid, &leftOut)
        Bound.notes(&channel.summary, &leftOut)
        Bound.list(&channel.funding, EpisodeDetails.listMembers, \.url, &leftOut) { _, _ in }
        Bound.persons(&channel.persons, &leftOut)
        Bound.locations(&channel.locations, &leftOut)
        Bound.list(&channel.liveItems, EpisodeDetails.listMembers, nil, &leftOut) { live, leftOut in
            live.item = live.item.bounded(&leftOut)
            Bound.line(&live.status, &leftOut)
        }
        return channel
    }
}

/// The limits as operations. Values within them are not written to, so that nothing is copied for an honest feed.
private enum Bound {
    static func url(_ url: inout String?, _ leftOut: inout LeftOut) {
        guard let text = url, !StoredLimits.isStorable(url: text) else { return }
        leftOut.urls += 1
        url = nil
    }

    /// A part of such a value means nothing.
    static func line(_ line: inout String?, _ leftOut: inout LeftOut) {
        guard let count = line?.utf8.count, count > StoredLimits.lineBytes else { return }
        leftOut.textBytes += count
        line = nil
    }

    static func notes(_ notes: inout String?, _ leftOut: inout LeftOut) {
        embeddedFiles(&notes, &leftOut)
        text(&notes, StoredLimits.notesBytes, &leftOut)
    }

    static func text(_ text: inout String?, _ limit: Int, _ leftOut: inout LeftOut) {
        guard let whole = text, whole.utf8.count > limit else { return }
        var end = whole.utf8.index(whole.startIndex, offsetBy: limit)
        while end.samePosition(in: whole.unicodeScalars) == nil { end = whole.utf8.index(before: end) }
        text = String(whole[..<end])
        leftOut.textBytes += whole.utf8.count - (text?.utf8.count ?? 0)
    }

    /// Removes the files that notes contain as `data:` URLs (RFC 2397) and that are longer than a URL may be. Otherwise the
    /// limit of the notes would cut within a picture, and the text after the picture would be lost.
    static func embeddedFiles(_ text: inout String?, _ leftOut: inout LeftOut) {
        guard let whole = text, whole.utf8.count > StoredLimits.urlBytes else { return }
        let (bytes, scheme) = (Array(whole.utf8), Array("data:".utf8))
        var kept: [UInt8] = []
        var (place, copied) = (0, 0)
        while place + scheme.count <= bytes.count {
            guard (0..<scheme.count).allSatisfy({ bytes[place + $0] | 0x20 == scheme[$0] | 0x20 }) else {
                place += 1
                continue
            }
            let start = place
            while place < bytes.count, !isEndOfURL(bytes[place]) { place += 1 }
            guard place - start > StoredLimits.urlBytes else { continue }
            kept += bytes[copied..<start]
            copied = place
            leftOut.urls += 1
        }
        if copied > 0 { text = String(decoding: kept + bytes[copied...], as: UTF8.self) }
    }

    /// Whether a byte ends a URL in HTML: white space, quotes, brackets, and the ampersand of an escaped quote.
    private static func isEndOfURL(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'<>()&".utf8.contains(byte) }

    /// Cutting a GUID could make two of them equal, so a long one becomes its hash.
    static func guid(_ guid: inout String?, _ leftOut: inout LeftOut) {
        guard let text = guid, text.utf8.count > StoredLimits.urlBytes else { return }
        var hash = StableHash()
        hash.add(text)
        leftOut.textBytes += text.utf8.count
        guid = "hash:\(UInt64(bitPattern: hash.value))"
    }

    /// Leaves out members whose URL is not stored, bounds the others, and takes no more than a number of them.
    static func list<Member: Equatable>(
        _ members: inout [Member], _ limit: Int, _ url: KeyPath<Member, String>?, _ leftOut: inout LeftOut,
        _ bound: (inout Member, inout LeftOut) -> Void
    ) {
        var kept: [Member] = []
        var isChanged = members.count > limit
        for member in members {
            if let url, !StoredLimits.isStorable(url: member[keyPath: url]) {
                leftOut.urls += 1
                isChanged = true
                continue
            }
            if kept.count == limit {
                leftOut.listMembers += 1
                continue
            }
            var bounded = member
            bound(&bounded, &leftOut)
            isChanged = isChanged || bounded != member
            kept.append(bounded)
        }
        if isChanged { members = kept }
    }

    static func persons(_ persons: inout [Person], _ leftOut: inout LeftOut) {
        list(&persons, StoredLimits.persons, nil, &leftOut) { person, leftOut in
            url(&person.href, &leftOut)
            url(&person.image, &leftOut)
            line(&person.role, &leftOut)
        }
    }

    static func locations(_ locations: inout [Location], _ leftOut: inout LeftOut) {
        list(&locations, EpisodeDetails.listMembers, nil, &leftOut) { location, leftOut in
            for field in [\Location.geo, \.openStreetMap, \.country, \.rel] {
                line(&location[keyPath: field], &leftOut)
            }
        }
    }
}
