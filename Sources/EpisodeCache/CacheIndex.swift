internal import PodcastModel
internal import SystemCalls

/// The index file of an episode: text, one fact on each line.
///
/// Bytes that were written but not synced are valid until the system restarts. After a restart, which `boot` shows, only synced
/// bytes count.
struct CacheIndex: Equatable {
    /// The first line; another one means another format.
    private static let title = "podcastd episode 1"

    var url: String
    var known: FetchPlan.Knowledge
    /// The synced bytes.
    var durable: ByteRanges
    /// Boot id of the system when it was written.
    var boot: String
    var isPinned = false

    var bytes: [UInt8] {
        var lines = [CacheIndex.title]
        func add(_ name: String, _ value: String?) {
            // Text from a server must not add a line.
            if let value, SafeText.isOneLine(value) { lines.append("\(name) \(value)") }
        }
        add("url", url)
        add("place", known.redirectTarget)
        add("etag", known.validator.etag)
        add("last-modified", known.validator.lastModified)
        add("type", known.contentType)
        add("length", known.length.map { "\($0)" })
        add("boot", boot)
        add("pinned", isPinned ? "yes" : nil)
        add("bytes", CacheIndex.text(known.have))
        add("durable", CacheIndex.text(durable))
        return Array((lines.joinedText("\n") + "\n").utf8)
    }

    private static func text(_ ranges: ByteRanges) -> String {
        ranges.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }.joinedText(",")
    }
}

extension CacheIndex {
    /// Reads the index of an episode's files, see `EpisodeFile.base`; nil if it is missing or damaged.
    init?(of base: String) {
        guard let bytes = try? StoredFile.contents(of: EpisodeFile.indexPath(base), limit: 1 << 20) else { return nil }
        self.init(bytes: bytes)
    }

    /// Nil if the file is damaged or has another format.
    init?(bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let lines = text.fields(separatedBy: "\n")
        guard lines.first == Self.title[...], lines.last == "" else { return nil }
        var facts: [Substring: String] = [:]
        for line in lines.dropFirst().dropLast() {
            guard let blank = line.firstIndex(of: " ") else { return nil }
            facts[line[..<blank]] = String(line[line.index(after: blank)...])
        }
        guard let url = facts["url"], let boot = facts["boot"], let have = Self.ranges(facts["bytes"]),
            let durable = Self.ranges(facts["durable"])
        else { return nil }
        var known = FetchPlan.Knowledge()
        known.have = have
        known.redirectTarget = facts["place"]
        known.validator = FetchPlan.Validator(etag: facts["etag"], lastModified: facts["last-modified"])
        known.contentType = facts["type"]
        if let length = facts["length"] {
            guard let length = Int64(length), length >= 0, have.ranges.last?.upperBound ?? 0 <= length else {
                return nil
            }
            known.length = length
        }
        self.init(url: url, known: known, durable: durable, boot: boot, isPinned: facts["pinned"] == "yes")
    }

    /// Parses the output of `text`; nil if the ranges are not ascending and separate.
    private static func ranges(_ text: String?) -> ByteRanges? {
        guard let text else { return nil }
        var ranges: [Range<Int64>] = []
        for part in text.split(separator: ",") {
            let ends = part.fields(separatedBy: "-").map { Int64($0) }
            guard ends.count == 2, let start = ends[0], let end = ends[1], start >= 0, start < end,
                start > ranges.last?.upperBound ?? -1
            else { return nil }
            ranges.append(start..<end)
        }
        return ByteRanges(ranges)
    }
}
