public import PodcastModel

/// A transcript of an episode. Any thread.
public struct TranscriptDocument: Equatable, Sendable {
    public static let documentBytes = 8 << 20
    /// Maximum number of cues read: more than one cue for each word in ten hours.
    static let mostCues = 200_000

    public var form: TranscriptForm
    /// Sorted by start; in document order without times.
    public var cues: [Cue]
    public var diagnostics: [Diagnostic]

    /// - Parameters:
    ///   - contentType: the type given by feed or response, with or without a charset; a hint.
    ///   - name: file name or URL, whose extension is used if the type is unknown.
    public init(_ bytes: [UInt8], contentType: String? = nil, name: String? = nil) throws(DocumentError) {
        let text = try TextDecoding.text(of: bytes, contentType: contentType, limit: Self.documentBytes)
        let announced = TranscriptForm(contentType: contentType) ?? name.flatMap(TranscriptForm.init(name:))
        form = try TranscriptForm.decided(text, announced: announced)
        var collected = CueCollection()
        switch form {
        case .srt, .webVTT: TimedTextReader.read(text, into: &collected)
        case .json: try JSONTranscript.read(text, into: &collected)
        case .html: HTMLTranscript.read(text, into: &collected)
        case .plain: PlainTranscript.read(text, into: &collected)
        }
        guard !collected.cues.isEmpty else { throw .noTranscript(reason: "the document has no cues") }
        cues = collected.sorted
        diagnostics = collected.diagnostics
        if form == .srt || form == .webVTT { cues = SpokenText.namingSpeakers(cues) }
    }
}

/// The cues found so far, with counts of problems.
struct CueCollection {
    /// Maximum bytes of a cue's text.
    static let longestText = 64 << 10

    private(set) var cues: [Cue] = []
    private var withoutTime = 0
    private var tooMany = 0

    /// Adds a cue; a cue without text is skipped.
    mutating func add(_ cue: Cue) {
        guard !cue.text.isEmpty else { return }
        guard cues.count < TranscriptDocument.mostCues else {
            tooMany += 1
            return
        }
        var cue = cue
        if let start = cue.start, let end = cue.end, end <= start { cue.end = nil }
        if cue.text.utf8.count > Self.longestText { cue.text = String(cue.text.prefix(Self.longestText / 4)) }
        cues.append(cue)
    }

    mutating func passOver() { withoutTime += 1 }

    /// Swift's sort is stable: cues that overlap or begin together keep their order.
    var sorted: [Cue] {
        let isOrdered = zip(cues, cues.dropFirst()).allSatisfy { ($0.start ?? .zero) <= ($1.start ?? .zero) }
        return isOrdered || cues.contains { $0.start == nil } ? cues : cues.sorted { $0.start! < $1.start! }
    }

    var diagnostics: [Diagnostic] {
        Diagnostic.ofDocument([
            skipped(withoutTime, "cues with an invalid time"),
            skipped(tooMany, "cues after the first \(TranscriptDocument.mostCues)"),
        ])
    }
}
