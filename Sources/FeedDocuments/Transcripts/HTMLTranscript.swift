internal import PodcastModel

/// Parses Podcasting 2.0's HTML: `<cite>` is the speaker, `<time>` the time, paragraphs are the text. Other HTML gives
/// paragraphs without times. Parses the first 1 MiB.
final class HTMLTranscript: HTMLEventHandler {
    private enum Target {
        case words, speaker, time
    }

    /// Maximum bytes of a speaker's name or of a time.
    private static let longestLabel = 256

    private static let hidden = Set(HTMLName.list("title template noscript svg nav button select textarea"))
    private static let blocks = Set(HTMLName.list("p div li ul ol h1 h2 h3 h4 h5 h6 blockquote tr section article hr"))

    private var cues = CueCollection()
    private var target = Target.words
    private var hiddenDepth = 0
    private var words: [UInt8] = []
    private var speaker: [UInt8] = []
    private var time: [UInt8] = []

    static func read(_ text: String, into cues: inout CueCollection) {
        let reader = HTMLTranscript()
        var text = text
        text.withUTF8 { HTMLReader.read(UnsafeRawBufferPointer($0), to: reader) }
        reader.endPassage()
        cues = reader.cues
    }

    func startElement(_ element: HTMLElement, attributes: HTMLAttributes) {
        if hiddenDepth > 0 || Self.hidden.contains(element.name) {
            hiddenDepth += 1
            return
        }
        switch element.name {
        case "cite":
            endPassage()
            speaker = []
            target = .speaker
        case "time":
            endPassage()
            time = []
            target = .time
        case "br": words.append(0x0A)
        default: if Self.blocks.contains(element.name) { endPassage() }
        }
    }

    func endElement(_ element: HTMLElement) {
        guard hiddenDepth == 0 else {
            hiddenDepth -= 1
            return
        }
        switch element.name {
        case "cite", "time": target = .words
        default: if Self.blocks.contains(element.name) { endPassage() }
        }
    }

    func characters(_ text: UnsafeRawBufferPointer) {
        guard hiddenDepth == 0 else { return }
        switch target {
        case .words: words += text.lazy.map { $0 == 0x0A ? 0x20 : $0 }
        // Limit the length, because both are parsed again for each passage.
        case .speaker: speaker += text.prefix(max(0, Self.longestLabel - speaker.count))
        case .time: time += text.prefix(max(0, Self.longestLabel - time.count))
        }
    }

    private func endPassage() {
        let lines = String(utf8: words).split(separator: "\n").compactMap { LineText.plain($0) }
        words = []
        guard !lines.isEmpty else { return }
        cues.add(
            Cue(
                start: AnnouncedTime.start(String(utf8: time)), speaker: speakerName,
                text: lines.joinedText("\n")))
    }

    /// The name without the colon after it; nil if nothing is left.
    private var speakerName: String? {
        let end = speaker.lastIndex { $0 > 0x20 && $0 != .colon }
        return end.flatMap { LineText.plain(String(utf8: speaker[...$0])) }
    }
}
