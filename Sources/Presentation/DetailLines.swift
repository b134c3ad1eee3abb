internal import CommandLineTool
public import ControlProtocol
public import PodcastModel

/// Additional information from publishers, one line for each item.
public enum DetailLines {
    public typealias Line = (name: String, text: String)

    public static func lines(_ details: EpisodeDetails) -> [Line] {
        people(details.persons)
            + details.soundbites.map { bite in
                let end = MediaTime(milliseconds: bite.start.milliseconds &+ bite.duration.milliseconds)
                return ("soundbite:", "\(bite.start) to \(end)\(bite.title.map { "  \($0)" } ?? "")")
            } + places(details.locations)
    }

    public static func lines(_ details: FeedDetails, _ time: (Timestamp) -> String) -> [Line] {
        (details.medium.map { [("medium:", $0)] } ?? []) + people(details.persons) + places(details.locations)
            + details.liveItems.map { live($0, time) } + support(details)
    }

    public static func support(_ details: FeedDetails) -> [Line] {
        details.funding.map { ("support:", ($0.text.map { "\($0)  " } ?? "") + $0.url) }
    }

    private static func people(_ persons: [Person]) -> [Line] {
        persons.map { person in
            ("person:", person.name + (person.role.map { " (\($0))" } ?? "") + (person.href.map { "  \($0)" } ?? ""))
        }
    }

    private static func places(_ locations: [Location]) -> [Line] {
        locations.map { ("place:", $0.name + ($0.geo.map { "  \($0)" } ?? "")) }
    }

    private static func live(_ stream: LiveItem, _ time: (Timestamp) -> String) -> Line {
        var text = stream.status ?? "announced"
        if let start = stream.start { text += ", from \(time(start))" }
        if let end = stream.end { text += " to \(time(end))" }
        if let title = stream.item.title { text += "  \(title)" }
        if let url = stream.item.enclosures.first?.url { text += "  \(url)" }
        return ("live:", text)
    }
}

extension EpisodeDetailReply {
    public var notes: String? { content ?? summary }

    public var seasonLine: String? {
        let season = episode.episode.season
        let number = episode.episode.number
        let parts = [
            details.seasonName ?? season.map { "season \($0)" }, details.episodeName ?? number.map { "episode \($0)" },
        ].compactMap(\.self)
        return parts.joinedText(", ").nonEmpty
    }
}

/// Show notes on a terminal.
public enum PlainNotes {
    /// Text as lines that fit; several empty lines count as one.
    public static func wrapped(_ text: String, _ width: Int?) -> [String] {
        var lines: [String] = []
        for line in TextLayout.wrapped(SafeText.lines(text), width: min(width ?? 100, 100))
        where !line.isEmpty || lines.last?.isEmpty == false {
            lines.append(line)
        }
        return lines
    }
}

extension Episode {
    /// `S2 E5`, `trailer`: its place in a serial show, as far as the publisher says.
    public var part: String? {
        let kind = facts.type == "full" ? nil : facts.type
        let texts = [facts.season.map { "S\($0)" }, facts.number.map { "E\($0)" }, kind].compactMap(\.self)
        return texts.joinedText(" ").nonEmpty
    }
}
