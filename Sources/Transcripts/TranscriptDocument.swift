public import PodcastModel
internal import XMLRepair

/// A transcript of an episode. Pure; any thread.
public struct TranscriptDocument: Equatable, Sendable {
    /// The most bytes that a document may have.
    public static let documentBytes = 8 << 20
    /// The most cues that are read; a word a cue for ten hours is below it.
    public static let mostCues = 200_000

    /// How it was written.
    public var form: TranscriptForm
    /// In order of their beginnings; as written where they have no times.
    public var cues: [Cue]
    /// What was passed over.
    public var diagnostics: [Diagnostic]

    /// Reads a document.
    ///
    /// - Parameters:
    ///   - bytes: the whole document.
    ///   - contentType: its type as the feed or the response has it, with a charset or not; a hint.
    ///   - name: its file name or URL, whose ending counts where the type says nothing.
    public init(
        _ bytes: UnsafeRawBufferPointer, contentType: String? = nil, name: String? = nil
    ) throws(TranscriptError) {
        guard bytes.count <= Self.documentBytes else { throw .tooLarge(limit: Self.documentBytes) }
        let text = TextDecoding.text(of: bytes, charset: TextDecoding.charset(ofContentType: contentType))
        let announced = TranscriptForm(contentType: contentType) ?? name.flatMap(TranscriptForm.init(name:))
        form = try TranscriptForm.decided(text, announced: announced)
        var collected = CueCollection()
        switch form {
        case .srt, .webVTT: TimedTextReader.read(text, into: &collected)
        case .json: try JSONTranscript.read(text, into: &collected)
        case .html: HTMLTranscript.read(text, into: &collected)
        case .plain: PlainTranscript.read(text, into: &collected)
        }
        guard !collected.cues.isEmpty else { throw .noTranscript(reason: "a document without a cue in it") }
        cues = collected.sorted
        diagnostics = collected.diagnostics
    }
}

/// Why a document gave no transcript.
public enum TranscriptError: Error, Equatable, Sendable, CustomStringConvertible {
    /// It is none; the reason completes "this is …".
    case noTranscript(reason: String)
    /// It has more bytes than may be.
    case tooLarge(limit: Int)

    /// One clear line.
    public var description: String {
        switch self {
        case .noTranscript(let reason): "no transcript: this is \(reason)"
        case .tooLarge(let limit): "the transcript is larger than \(limit >> 20) MiB"
        }
    }
}

/// Cues as they are found, and what could not be read.
struct CueCollection {
    /// Bytes of a cue's text.
    static let longestText = 64 << 10

    private(set) var cues: [Cue] = []
    private var withoutTime = 0
    private var tooMany = 0

    /// Takes a cue; one that says nothing is none.
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

    /// Counts a cue whose time cannot be read.
    mutating func passOver() { withoutTime += 1 }

    /// Swift's sort is stable: cues that overlap or begin together stay as they were written.
    var sorted: [Cue] {
        let isOrdered = zip(cues, cues.dropFirst()).allSatisfy { ($0.start ?? .zero) <= ($1.start ?? .zero) }
        return isOrdered || cues.contains { $0.start == nil } ? cues : cues.sorted { $0.start! < $1.start! }
    }

    var diagnostics: [Diagnostic] {
        var messages: [String] = []
        if withoutTime > 0 { messages.append("passed over \(withoutTime) cues whose time cannot be read") }
        if tooMany > 0 { messages.append("passed over \(tooMany) cues beyond \(TranscriptDocument.mostCues)") }
        return messages.map { Diagnostic(line: 1, column: 1, message: $0) }
    }
}
