internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// What was found in notes and transcripts, and transcripts themselves.
extension AnswerPresenter {
    /// The words around what a search found, a line for each episode that has some.
    func excerpts(_ episodes: [EpisodeReply]) throws(ToolFailure) {
        let found = episodes.filter { !$0.excerpt.isEmpty }
        if found.isEmpty { return }
        try output.line()
        for row in found { try output.line("\(row.episode.id): \(marked(row.excerpt))") }
    }

    /// Where something is said, with the words around it.
    func said(_ answer: JSONValue) throws(ToolFailure) {
        let places = SpokenListReply(json: answer)?.places ?? []
        if places.isEmpty { return try output.line("nobody says so in the transcripts that were fetched") }
        var episode: EpisodeID?
        for place in places {
            if place.episode != episode {
                try output.line(terminal.styled(SafeText.line("\(place.episode) \(place.title)"), .bold))
                episode = place.episode
            }
            let speaker = place.speaker.map { "\(SafeText.line($0)): " } ?? ""
            try output.line("  \(place.time?.description ?? "-")  \(speaker)\(marked(place.excerpt))")
        }
    }

    /// A transcript: a line for each cue, or as SubRip.
    func transcript(_ answer: JSONValue) throws(ToolFailure) {
        let cues = (TranscriptReply(json: answer)?.cues ?? []).map(\.cue)
        if isSubRip { return try subRip(cues) }
        var speaker: String?
        for cue in cues {
            if let name = cue.speaker, name != speaker {
                try output.line(terminal.styled("\(SafeText.line(name)):", .bold))
            }
            speaker = cue.speaker
            let time = cue.start.map { terminal.styled($0.description, .dim) + "  " } ?? ""
            try output.line(time + SafeText.line(cue.text))
        }
    }

    private func subRip(_ cues: [Cue]) throws(ToolFailure) {
        guard cues.contains(where: { $0.start != nil }) else {
            throw ToolFailure(.badData, "this transcript has no times", hint: "it is shown without --srt")
        }
        for (index, cue) in cues.enumerated() {
            guard let start = cue.start else { continue }
            // Two seconds where the source does not say, or until the next begins.
            let next = cues.dropFirst(index + 1).first?.start
            let soon = start + MediaTime(seconds: 2)
            let end = cue.end ?? next.map { min(soon, $0) } ?? soon
            let speaker = cue.speaker.map { "\(SafeText.line($0)): " } ?? ""
            try output.line("\(index + 1)")
            try output.line("\(Self.subRipTime(start)) --> \(Self.subRipTime(end))")
            try output.line(speaker + SafeText.line(cue.text))
            try output.line()
        }
    }

    /// `01:02:03,456`.
    private static func subRipTime(_ time: MediaTime) -> String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let total = max(0, time.milliseconds)
        let (seconds, rest) = (total / 1000, total % 1000)
        return
            "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)),\(digits(rest, 3))"
    }

    /// An excerpt with what was found in bold, or between brackets where there is no bold.
    private func marked(_ pieces: [String]) -> String {
        var line = ""
        for (index, piece) in pieces.enumerated() {
            let text = SafeText.line(piece)
            line += index % 2 == 0 ? text : terminal.usesStyle ? terminal.styled(text, .bold) : "[\(text)]"
        }
        return line
    }
}
