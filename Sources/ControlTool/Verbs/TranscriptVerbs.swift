internal import CommandLineTool
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// The words around the matches of a search.
enum Excerpts {
    static func show(_ episodes: [EpisodeReply], _ view: View) {
        let found = episodes.filter { !$0.excerpt.isEmpty }
        if found.isEmpty { return }
        view.output.line()
        for row in found { view.output.line("\(row.episode.id.label): \(marked(row.excerpt, view.terminal))") }
    }

    /// An excerpt with the matches in bold, or in brackets if there is no bold.
    static func marked(_ pieces: [String], _ terminal: Terminal) -> String {
        pieces.enumerated().map { index, piece in
            let text = SafeText.line(piece)
            return index % 2 == 0 ? text : terminal.usesStyle ? terminal.styled(text, .bold) : "[\(text)]"
        }.joined()
    }
}

extension FindSpoken: PagedVerb, TableVerb {
    static func cursor(of row: SpokenReply) -> String? { row.key }
    static let none = "no match in the transcripts fetched so far"

    static let table: [TableColumn<SpokenReply>] = [
        .init("EPISODE") { $0.episode.label }, .init("TIME", says: "at {}") { $0.time?.description ?? "" },
        .init("SPEAKER") { $0.speaker ?? "" },
        .init("EXCERPT") { row, view in Excerpts.marked(row.excerpt, view.terminal) },
        .init("TITLE") { $0.title }, .init("FEED", says: "from {}") { $0.feedTitle },
    ]

    static func show(_ reply: SpokenListReply, _ view: View) {
        if reply.rows.isEmpty || !view.isTerminal || view.isSpoken {
            showRows(reply.rows, view)
        } else {
            showGroups(reply, view)
        }
        showMore(reply, view)
    }

    /// The places of each episode below its title.
    private static func showGroups(_ reply: SpokenListReply, _ view: View) {
        var episode: EpisodeID?
        for place in reply.rows {
            if place.episode != episode {
                view.heading("\(place.episode.label) \(place.title)")
                episode = place.episode
            }
            let speaker = place.speaker.map { "\(SafeText.line($0)): " } ?? ""
            let excerpt = Excerpts.marked(place.excerpt, view.terminal)
            view.output.line("  \(place.time?.description ?? "-")  \(speaker)\(excerpt)")
        }
    }
}

extension FetchTranscripts: CommandVerb {
    static func status(of reply: FetchedTranscriptsReply) -> ExitStatus { reply.errors.isEmpty ? .success : .tryAgain }
}

extension FetchedTranscriptsReply: ShownReply {
    func show(_ view: View) {
        let without = missing == 0 ? "" : ", \(missing) without transcript"
        view.line("\(title): \(counted(fetched, "transcript")) fetched, \(present) already present\(without)")
        view.report(errors)
    }
}

extension ShowTranscript: PagedVerb {
    static func cursor(of row: CueReply) -> Int? { row.index }

    static let srt = OptionDeclaration(flag: "srt", help: "Print in SubRip format (SRT).")

    /// The whole transcript is shown; the limit is that of a page of the wire.
    static let options = [srt]

    static func show(_ reply: TranscriptReply, _ view: View) throws(ToolFailure) {
        let cues = reply.cues.map(\.cue)
        if view.isSet(srt) { return try showSubRip(cues, view.output) }
        var speaker: String?
        for cue in cues {
            if cue.speaker != speaker {
                // An empty line ends what the last speaker said.
                let heading = cue.speaker.map { view.terminal.styled("\(SafeText.line($0)):", .bold) } ?? ""
                view.output.line(heading)
            }
            speaker = cue.speaker
            let time = cue.start.map { view.terminal.styled($0.description, .dim) + "  " } ?? ""
            view.output.line(time + SafeText.line(cue.text))
        }
    }

    private static func showSubRip(_ cues: [Cue], _ output: ToolOutput) throws(ToolFailure) {
        guard cues.contains(where: { $0.start != nil }) else {
            throw ToolFailure(.badData, "this transcript has no times", hint: "show it without --srt")
        }
        for (index, cue) in cues.enumerated() {
            guard let start = cue.start else { continue }
            // A cue without an end lasts two seconds, or until the next one starts.
            let next = cues.dropFirst(index + 1).first?.start
            let soon = start + MediaTime(seconds: 2)
            let end = cue.end ?? next.map { min(soon, $0) } ?? soon
            let speaker = cue.speaker.map { "\(SafeText.line($0)): " } ?? ""
            output.line("\(index + 1)")
            output.line("\(subRipTime(start)) --> \(subRipTime(end))")
            output.line(speaker + SafeText.line(cue.text))
            output.line()
        }
    }

    /// `01:02:03,456`.
    private static func subRipTime(_ time: MediaTime) -> String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let total = max(0, time.milliseconds)
        let seconds = total / 1000
        let rest = total % 1000
        return
            "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2)),\(digits(rest, 3))"
    }
}

extension GetPicture: CommandVerb {
    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        guard view.isForProgram || !view.isTerminal else {
            throw .usage("a picture is not printed on a terminal", hint: "redirect it: > cover.jpg")
        }
        return try finish(view.call(self), view)
    }

    static func show(_ reply: PictureReply, _ view: View) throws(ToolFailure) {
        guard let bytes = Base64.bytes(of: reply.data) else {
            throw ToolFailure(.protocolFault, "the picture cannot be read")
        }
        view.output.write(contentsOf: bytes)
    }
}
