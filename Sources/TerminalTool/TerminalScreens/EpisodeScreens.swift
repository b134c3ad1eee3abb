internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// Everything about an episode: facts, note, chapters, bookmarks and show notes.
final class EpisodeDetail {
    private let context: ScreenContext
    private let id: EpisodeID
    private var detail: EpisodeDetailReply?
    /// The closures of the screen own this object.
    private weak var screen: ListScreen?

    init(_ context: ScreenContext, _ id: EpisodeID) {
        self.context = context
        self.id = id
    }

    func makeScreen() -> ListScreen {
        let context = context
        let id = id
        let facts = RowSection(.plain, { self.facts }) { fact, row in
            row.title = "\(fact.name) \(fact.text)"
            row.leadsFurther = fact.leadsFurther
        }
        facts.onSelect = { $0.select?() }
        facts.footing = {
            self.detail == nil ? nil : "Enter plays from a position, changes a mark or the note, opens a link."
        }
        facts.id = { fact in Int64(fact.name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }) }
        let sections: [ListSection] = [
            facts, chapterSection(context, { self.detail?.chapters ?? [] }, of: id),
            RowSection.text("Show notes", context, seek: { context.play(from: $0, of: id) }) {
                self.detail?.notes ?? ""
            },
        ]
        let screen = ListScreen(
            context, title: { self.detail?.episode.episode.title ?? "Episode \(id.label)" }, sections,
            keys: [("play", "play"), ("add", "queue"), ("star", "star")],
            empty: "Loading…", parts: [.episodes, .player], load: { self.load() },
            update: { parts in if parts.contains(.episodes) { self.load() } })
        screen.mainSubject = { self.subject }
        screen.cover = CoverArt(context) { id }
        self.screen = screen
        return screen
    }

    private var subject: Subject? { detail.map { .episode($0.episode.episode) } }

    private func load() {
        context.read(
            ShowEpisode {
                $0.episode = id.label
                $0.fetches = true
            }
        ) { [weak self] reply in
            guard let self else { return }
            if reply == nil && detail != nil { context.say("this episode no longer exists", isError: true) }
            detail = reply ?? detail
            screen?.reload()
        }
    }

    private var facts: [Fact] {
        guard let detail else { return [] }
        let context = context
        let episode = detail.episode.episode
        let state = episode.state
        var facts = [
            Fact("Feed:", episode.feedTitle, leadsFurther: true) { context.open(.feedEpisodes(episode.feed)) },
            Fact("Published:", context.times.time(episode.published)),
            Fact("Duration:", episode.duration?.description ?? "not known"),
            Fact("Position:", "\(state.position)") { self.askForPosition(episode) },
            Fact("Played:", state.isPlayed ? "yes" : "no") { self.perform { $0.mark($1) } },
            Fact("Star:", state.isStarred ? "yes" : "no") { self.perform { $0.star($1) } },
            Fact("Downloaded:", state.isDownloaded ? "yes" : detail.download ?? "no") { self.changeDownload(episode) },
            Fact("Note:", state.note ?? "") { context.askForNote(episode, next: self.advance) },
        ]
        if let unplayable = detail.episode.unplayable { facts.append(Fact("Cannot be played:", unplayable)) }
        if let season = detail.seasonLine { facts.append(Fact("Part:", season)) }
        for bookmark in detail.bookmarks {
            facts.append(
                Fact("Bookmark \(bookmark.position):", bookmark.text) {
                    context.run(PlayBookmark { $0.bookmark = bookmark.id })
                })
        }
        let lines =
            DetailLines.lines(detail.details) + DetailLines.support(detail.feedDetails)
            + (episode.link.map { [("Page:", $0)] } ?? [])
        return facts
            + lines.map { line in
                let links = WebLinks.all(in: line.text)
                return Fact(line.name, line.text, leadsFurther: !links.isEmpty) { context.openLink(links) }
            }
    }

    // MARK: changes

    /// A line about the episode, and what enter does on it.
    private struct Fact {
        var name: String
        var text: String
        var leadsFurther: Bool
        var select: (() -> Void)?

        init(_ name: String, _ text: String, leadsFurther: Bool = false, select: (() -> Void)? = nil) {
            self.name = name
            self.text = text
            self.leadsFurther = leadsFurther
            self.select = select
        }
    }

    private func perform(_ act: (ScreenContext, Subject) -> Void?) { _ = subject.flatMap { act(context, $0) } }

    /// Goes to the next row, or the one before, and changes it.
    private func advance(backwards: Bool) {
        _ = screen?.handle(.table(backwards ? .up : .down))
        _ = screen?.handle(.table(.select))
    }

    /// Plays from another position, or seeks in the episode that plays.
    private func askForPosition(_ episode: Episode) {
        let context = context
        context.ask("Play from (such as 12:30): ", text: "\(episode.state.position)", next: advance) { text in
            guard let position = MediaTime(parsing: text) else {
                return context.say("'\(text)' is not a time; type 90, 1:30 or 1h2m3s", isError: true)
            }
            if position == episode.state.position { return }
            let isCurrent = context.model.player.episode?.id == episode.id
            context.play(from: position, of: isCurrent ? nil : episode.id)
        }
    }

    private func changeDownload(_ episode: Episode) {
        guard episode.state.isDownloaded || detail?.download != nil else { return perform { $0.download($1) } }
        let context = context
        context.confirm("Delete the download of \(episode.title)?") {
            context.deleteDownload(of: episode.id, episode.title)
        }
    }
}

/// The episode that plays: position, chapters, show notes, and the transcript, which follows the sound.
final class NowPlaying {
    private let context: ScreenContext
    private var episode: EpisodeID?
    private var detail: EpisodeDetailReply?
    private var chapters: [ChapterReply] = []
    private var cues: [Cue] = []
    /// The index of the line that is played, or was played last.
    private var played: Int?
    /// The closures of the screen own this object.
    private weak var screen: ListScreen?

    init(_ context: ScreenContext) { self.context = context }

    func makeScreen() -> ListScreen {
        let context = context
        let player = RowSection(.media, { context.model.player.episode.map { [$0] } ?? [] }) { episode, row in
            self.show(episode, &row)
        }
        player.id = { $0.id.rawValue }
        player.onSelect = { context.open(.episode($0.id)) }
        player.leadsFurther = true
        let chapters = chapterSection(context, { self.chapters }, of: nil)
        let transcript = RowSection(.plain, { self.cues }) { cue, row in
            row.title = (cue.speaker.map { "\($0): " } ?? "") + cue.text
            row.detail = cue.start?.description ?? ""
            row.isCurrent = self.isCurrent(cue)
        }
        transcript.heading = "Transcript"
        transcript.onSelect = { cue in
            guard let start = cue.start else { return }
            context.run(Seek { $0.time = .absolute(start) }) { _ in
                self.played = self.cues.firstIndex { $0.start == start }
            }
        }
        let notes = RowSection.text("Show notes", context, seek: { context.play(from: $0) }) {
            self.detail?.notes ?? ""
        }
        let screen = ListScreen(
            context, title: { "Now playing" }, [player, chapters, transcript, notes],
            keys: self.keys,
            empty: "Nothing is loaded. Press 2 for the queue, or 4 for episodes.",
            parts: [.player, .episodes], load: { self.load(again: true) },
            update: { self.load(again: $0.contains(.episodes)) })
        screen.onFollow = { self.follow() }
        screen.onAgain = { self.returnToSound() }
        screen.mainSubject = { self.detail.map { .episode($0.episode.episode) } ?? self.episode.map { .episodeID($0) } }
        screen.cover = CoverArt(context) { context.model.player.episode?.id }
        self.screen = screen
        return screen
    }

    private func load(again: Bool) {
        let current = context.model.player.episode?.id
        guard current != episode || again else { return }
        if current != episode {
            detail = nil
            chapters = []
            cues = []
            played = nil
        }
        episode = current
        guard let current else { return }
        read(
            ShowEpisode {
                $0.episode = current.label
                $0.fetches = true
            }
        ) { $0.detail = $1 }
        read(ListChapters { $0.episode = current.label }) { $0.chapters = $1.chapters }
        if cues.isEmpty { read(ShowTranscript { $0.episode = current.label }) { $0.cues = $1.cues.map(\.cue) } }
    }

    /// Sends a query about the playing episode. `done` gets the reply, unless another episode plays then.
    private func read<Query: Command>(_ query: Query, _ done: @escaping (NowPlaying, Query.Reply) -> Void) {
        context.read(query) { [weak self, episode] reply in
            guard let self, let reply, self.episode == episode else { return }
            done(self, reply)
            screen?.reload()
        }
    }

    /// Moves the cursor with the sound if the cursor is on the line that was played.
    private func follow() {
        let transcript = 2
        guard let now = cues.firstIndex(where: isCurrent), now != played else { return }
        if let played, screen?.cursor == IndexPath(transcript, played) {
            screen?.moveCursor(section: transcript, row: now)
        }
        played = now
    }

    /// Ends a filter, and puts the cursor on the line that is heard, or was heard last.
    private func returnToSound() {
        screen?.endSearch()
        guard let line = cues.lastIndex(where: { $0.start.map { $0 <= position } ?? false }) else { return }
        screen?.moveCursor(section: 2, row: line)
        played = line
    }

    private var keys: [(action: String, does: String)] {
        if episode == nil { return [("screen-queue", "queue"), ("screen-episodes", "episodes")] }
        return [("toggle", "pause")] + (chapters.isEmpty ? [] : [("next-chapter", "next chapter")])
            + [("bookmark", "bookmark")] + (cues.isEmpty ? [] : [("screen-playing", "line that is heard")])
    }

    private var position: MediaTime { context.model.player.position(at: context.now()) ?? .zero }

    private func isCurrent(_ cue: Cue) -> Bool {
        guard let start = cue.start, start <= position else { return false }
        return cue.end.map { position < $0 } ?? (start + MediaTime(seconds: 5) > position)
    }

    private func show(_ episode: PlayerReply.PlayingEpisode, _ row: inout TableRow) {
        let player = context.model.player
        row.title = episode.title ?? "episode \(episode.id.label)"
        row.isCurrent = player.state == .playing
        row.isStarred = detail?.episode.episode.state.isStarred ?? false
        row.download = detail?.episode.episode.state.isDownloaded ?? false ? .onDisk : .none
        if let duration = player.duration, duration > .zero { row.progress = position.seconds / duration.seconds }
        var shown = player
        shown.position = position
        row.subtitle = [StatusText.time(shown) ?? "", player.feed?.title ?? ""].joinedText("  ")
        // While something plays, its position and show are shown; the last line tells the failure.
        guard player.state == .stopped, let error = player.error else { return }
        row.hasFailed = true
        row.subtitle = error
    }
}

/// The chapters of an episode; selecting one plays from it.
private func chapterSection(
    _ context: ScreenContext, _ chapters: @escaping () -> [ChapterReply], of episode: EpisodeID?
) -> RowSection<(offset: Int, element: ChapterReply)> {
    let section = RowSection(.plain, { Array(chapters().filter(\.chapter.isListed).enumerated()) }) { chapter, row in
        let place = chapter.element.chapter
        let isSkipped = chapter.element.isSkipped
        row.title = place.title ?? "Chapter \(chapter.offset + 1)"
        row.detail = place.start.description + (isSkipped ? ", skipped" : "")
        let player = context.model.player
        row.isCurrent =
            player.chapter?.chapter.start == place.start && (episode == nil || player.episode?.id == episode)
    }
    section.heading = "Chapters"
    section.onSelect = { context.play(from: $0.element.chapter.start, of: episode) }
    return section
}
