internal import PodcastModel

extension PublishedObject {
    /// The object within `StoredLimits`. Digests and rows are both made of the bounded values, so that a document beyond a
    /// limit is not rewritten at each refresh.
    func bounded(_ leftOut: inout LeftOut) -> Self {
        var object = self
        var bounds = Bounding(leftOut: leftOut)
        object.declareMembers(&bounds)
        leftOut = bounds.leftOut
        return object
    }
}

/// Applies the limits. Values within them are not written to, so that nothing is copied for an honest feed.
private struct Bounding: MemberVisitor {
    var leftOut: LeftOut
    var isIncomplete = false
    private var isChanged = false

    init(leftOut: LeftOut) { self.leftOut = leftOut }

    mutating func visit(_ member: PublishedMember, _ text: inout String?) {
        guard let whole = text else { return }
        let stored: String?
        switch member.bound {
        case .none: return
        case .url:
            if StoredLimits.isStorable(url: whole) { return }
            leftOut.urls += 1
            stored = nil
        case .line:
            // A part of such a value means nothing.
            if whole.utf8.count <= StoredLimits.lineBytes { return }
            leftOut.textBytes += whole.utf8.count
            stored = nil
        case .guid:
            // Cutting a GUID could make two of them equal, so a long one becomes its hash.
            if whole.utf8.count <= StoredLimits.urlBytes { return }
            leftOut.textBytes += whole.utf8.count
            stored = "hash:\(UInt64(bitPattern: StableHash(whole).value))"
        case .title:
            stored = SafeText.title(whole)
            if stored == whole { return }
        case .notes:
            if whole.utf8.count <= StoredLimits.urlBytes { return }
            stored = Self.cut(Self.withoutFiles(whole, &leftOut), &leftOut)
            if stored == whole { return }
        }
        text = stored
        isChanged = true
    }

    /// Leaves out objects without a required member, and objects beyond the maximum.
    mutating func visit<Object: PublishedObject>(_ list: PublishedList, _ objects: inout [Object]) {
        if objects.isEmpty { return }
        let wasChanged = isChanged
        var kept: [Object]?
        for (index, given) in objects.enumerated() {
            if (kept?.count ?? index) == list.maximum {
                leftOut.listMembers += objects.count - index
                kept = kept ?? Array(objects[..<index])
                break
            }
            var object = given
            isChanged = false
            isIncomplete = false
            object.declareMembers(&self)
            if isChanged || isIncomplete, kept == nil { kept = Array(objects[..<index]) }
            if !isIncomplete { kept?.append(object) }
        }
        isChanged = wasChanged || kept != nil
        isIncomplete = false
        if let kept { objects = kept }
    }

    private static func cut(_ whole: String, _ leftOut: inout LeftOut) -> String {
        if whole.utf8.count <= StoredLimits.notesBytes { return whole }
        var end = whole.utf8.index(whole.startIndex, offsetBy: StoredLimits.notesBytes)
        while end.samePosition(in: whole.unicodeScalars) == nil { end = whole.utf8.index(before: end) }
        let text = String(whole[..<end])
        leftOut.textBytes += whole.utf8.count - text.utf8.count
        return text
    }

    /// Removes `data:` URLs (RFC 2397) that are longer than a URL may be: otherwise the limit of the notes would cut within
    /// a picture, and the text after the picture would be lost.
    private static func withoutFiles(_ whole: String, _ leftOut: inout LeftOut) -> String {
        let bytes = Array(whole.utf8)
        let scheme = Array("data:".utf8)
        var kept: [UInt8] = []
        var place = 0
        var copied = 0
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
        return copied > 0 ? String(utf8: kept + bytes[copied...]) : whole
    }

    /// True if a byte ends a URL in HTML: white space, quotes, brackets, and the ampersand of an escaped quote.
    private static func isEndOfURL(_ byte: UInt8) -> Bool { byte <= 0x20 || "\"'<>()&".utf8.contains(byte) }
}
