internal import JSON
internal import MediaPorts
internal import PodcastModel
internal import Digest
internal import SystemCalls

struct ProbeReport {
    /// Whether the file can be played.
    enum Outcome: String {
        case audio
        /// Yes, but parts are missing or damaged.
        case damaged
        case notAudio = "not-audio"
    }

    var outcome: Outcome
    /// Why the file is damaged or not audio.
    var reason: String?
    var info: StreamInfo?
    var picture: JSONValue?
    var runs: [FormatNotes.Run] = []
    /// Whether the complete decoded audio was written.
    var isDecoded = false

    /// As measured.
    var seconds: Double { runs.reduce(0) { $0 + Double($1.frames) / Double($1.format.rate) } }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("outcome", outcome.rawValue)]
        func add(_ name: String, _ value: some JSONConvertible) { members.append(.init(name, value)) }
        add("reason", reason)
        guard outcome != .notAudio else { return .object(members) }
        add("container", info?.container)
        add("codec", info?.codec)
        add("bitRate", info.flatMap { $0.bitRate > 0 ? $0.bitRate : nil })
        add("sampleRates", distinct(\.rate))
        add("channels", distinct(\.channels))
        add("seconds", (seconds * 1000).rounded() / 1000)
        if let first = runs.first, runs.allSatisfy({ $0.format.rate == first.format.rate }) {
            add("gapless", JSONValue(members: ["samples": runs.reduce(0) { $0 + $1.frames }]))
        }
        if isDecoded, let first = runs.first?.format {
            add("pcm", JSONValue(members: ["format": "s16le", "rate": first.rate, "channels": first.channels]))
        }
        add("chapters", (info?.chapters ?? []).map(Self.json))
        add("tags", JSONValue.object((info?.tags ?? [:]).sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }))
        add("art", picture)
        return .object(members)
    }

    /// The distinct values in the order of their first occurrence.
    private func distinct(_ value: KeyPath<PCMFormat, Int>) -> [Int] {
        let formats = runs.isEmpty ? [info?.format].compactMap { $0 } : runs.map(\.format)
        var values: [Int] = []
        for format in formats where !values.contains(format[keyPath: value]) { values.append(format[keyPath: value]) }
        return values
    }

    private static func json(_ chapter: Chapter) -> JSONValue {
        JSONValue(members: [
            "start": chapter.start.wireSeconds, "end": chapter.end?.wireSeconds, "title": chapter.title,
            "link": chapter.link, "image": chapter.image,
        ])
    }

    /// The report for users: a name and a value on each line.
    var lines: [String] {
        var rows: [(String, String)] = [("outcome", outcome.rawValue + (reason.map { ": \($0)" } ?? ""))]
        if let info { rows.append(("format", info.summary)) }
        if let info, info.bitRate > 0 { rows.append(("bit rate", "\(info.bitRate / 1000) kbit/s")) }
        rows.append(("duration", MediaTime(seconds: seconds).description))
        for run in runs.dropFirst() {
            rows.append(("changes to", "\(run.format.rate) Hz, \(run.format.channels) channels"))
        }
        for (name, value) in (info?.tags ?? [:]).sorted(by: { $0.key < $1.key }) { rows.append((name, value)) }
        if let art = info?.art { rows.append(("art", "\(art.mime), \(art.length) bytes")) }
        for chapter in info?.chapters ?? [] { rows.append(("chapter", "\(chapter.start)  \(chapter.title ?? "")")) }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, value in
            SafeText.line(name + String(repeating: " ", count: max(0, width - name.count)) + "  " + value)
        }
    }
}

extension EmbeddedArt {
    /// Bytes of a picture at most, for its digest.
    private static let longest: Int64 = 64 << 20

    /// The picture in a report. `bytes` is its length in the file; `sha256` is null if its bytes are not available.
    func json(in source: any ByteSource) -> JSONValue {
        let digest = picture(in: source).flatMap(HashFunction.sha256.hexadecimal)
        return JSONValue(members: ["mime": mime, "bytes": length, "sha256": digest])
    }

    private func picture(in source: any ByteSource) -> [UInt8]? {
        guard length <= Self.longest, isAvailable(in: source.snapshot),
            let bytes = try? StoredFile.read(source.descriptor, at: offset, count: Int(length)),
            bytes.count == Int(length)
        else { return nil }
        return picture(storedAs: bytes)
    }
}
