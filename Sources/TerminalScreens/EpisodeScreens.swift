internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import TableUI

/// Everything about an episode: facts, note, chapters, bookmarks and show notes.
final class EpisodeDetail {
    private let context: ScreenContext
    private let id: EpisodeID
    private var detail: EpisodeDetailReply?
    /// It keeps this object.
    private weak var screen: ListScreen?

    private init(_ context: ScreenContext, _ id: EpisodeID) {
        self.context = context
        self.id = id
    }

    static func screen(_ context: ScreenContext, _ id: EpisodeID) -> ListScreen {
        EpisodeDetail(context, id).makeScreen()
    }

    private func makeScreen() -> ListScreen {
        let (context, id) = (context, id)
        let facts = RowSection(.plain, { [weak self] in self?.facts ?? [] }) {
            (fact: (name: String, text: String), row: inout TableRow) in
            row.title = "\(fact.name) \(fact.text)"
        }
        facts.subject = { [weak self] _ in self?.subject ?? .other }
        facts.id = { fact in Int64(fact.name.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xFFFF }) }
        let sections: [any ListSection] = [
            facts, chapterSection(context, { [weak self] in self?.detail?.chapters ?? [] }, of: id),
            TextSection("Show notes", context) { [weak self] in self?.notes ?? "" },
        ]
        let screen = ListScreen(
            context, title: { self.detail?.episode.episode.title ?? "Episode \(id.label)" }, sections,
            empty: "Loading…", parts: [.init(.episodes), .init(.player)],
            load: { self.load() },
            update: { parts in if parts.contains(.episodes) { self.load() } })
        screen.cover = CoverArt(context) { id }
        self.screen = screen
        return screen
    }

    private var subject: Subject { detail.map { .episode($0.episode.episode) } ?? .other }

    private func load() {
        context.read(ShowEpisode { $0.episode = id.label }) { [weak self] reply in
            guard let self else { return }
            if reply == nil && detail != nil { context.say("this episode does not exist any more", isError: true) }
            detail = reply ?? detail
            screen?.reload()
        }
    }

    private var notes: String {
        detail?.notes ?? ""
    }

    private var facts: [(name: String, text: String)] {
        guard let detail else { return [] }
        let episode = detail.episode.episode
        let state = episode.state
        var facts = [
            ("Feed:", episode.feedTitle),
            ("Published:", context.times.time(episode.published)),
            ("Duration:", episode.duration?.description ?? "not known"),
            (
                "State:",
                state.isPlayed ? "played" : state.isInProgress ? "heard up to \(state.position)" : "not started"
            ),
            ("Star:", state.isStarred ? "yes" : "no"),
            ("Downloaded:", state.isDownloaded ? "yes" : detail.download ?? "no"),
            ("Note:", state.note ?? ""),
        ]
        if let unplayable = detail.episode.unplayable { facts.append(("Cannot be played:", unplayable)) }
        if let season = detail.seasonLine { facts.append(("Part:", season)) }
        for bookmark in detail.bookmarks {
            facts.append(("Bookmark \(bookmark.position):", bookmark.text))
        }
        facts += DetailLines.lines(detail.details).map { ($0.name, $0.text) }
        if let link = episode.link { facts.append(("Page:", link)) }
        return facts
    }
}

/// The episode that plays: position, chapters, show notes, and the transcript, which follows the sound.
final class NowPlaying {
    private let context: ScreenContext
    private var episode: EpisodeID?
    private var detail: EpisodeDetailReply?
    private var chapters: [ChapterReply] = []
    private var cues: [Cue] = []
    /// It keeps this object.
    private weak var screen: ListScreen?

    private init(_ context: ScreenContext) { self.context = context }

    static func screen(_ context: ScreenContext) -> ListScreen { NowPlaying(context).makeScreen() }

    private func makeScreen() -> ListScreen {
        let context = context
        let player = RowSection(.media, { [context] in context.model.player.episode.map { [$0] } ?? [] }) {
            [weak self] (episode: PlayerReply.PlayingEpisode, row: inout TableRow) in
            self?.show(episode, &row)
        }
        player.id = { $0.id.rawValue }
        player.subject = { [weak self] _ in self?.detail.map { .episode($0.episode.episode) } ?? .other }
        player.onSelect = { context.open(.episode($0.id)) }
        let chapters = chapterSection(context, { [weak self] in self?.chapters ?? [] }, of: nil)
        let transcript = RowSection(.plain, { [weak self] in self?.cues ?? [] }) {
            [weak self] (cue: Cue, row: inout TableRow) in
            row.title = (cue.speaker.map { "\($0): " } ?? "") + cue.text
            row.detail = cue.start?.description ?? ""
            row.isCurrent = self?.isCurrent(cue) ?? false
        }
        transcript.heading = { [weak self] in self?.cues.isEmpty ?? true ? nil : "Transcript" }
        transcript.text = { $0.text }
        transcript.onSelect = { cue in
            if let start = cue.start { context.run(Seek { $0.time = .absolute(start) }) }
        }
        let notes = TextSection("Show notes", context) { [weak self] in
            self?.detail?.notes ?? ""
        }
        let screen = ListScreen(
            context, title: { "Now playing" }, [player, chapters, transcript, notes],
            empty: "Nothing is loaded. Press 2 for the queue, or 4 for episodes.",
            parts: [.init(.player), .init(.episodes)], load: { self.load(again: true) },
            update: { self.load(again: $0.contains(.episodes)) })
        screen.isFollowing = true
        screen.cover = CoverArt(context) { context.model.player.episode?.id }
        self.screen = screen
        return screen
    }

    private func load(again: Bool) {
        let current = context.model.player.episode?.id
        guard current != episode || again else { return }
        if current != episode { (detail, chapters, cues) = (nil, [], []) }
        episode = current
        guard let current else { return }
        context.read(ShowEpisode { $0.episode = current.label }) { [weak self] in
            self?.take($0, of: current) { $0.detail = $1 }
        }
        context.read(ListChapters { $0.episode = current.label }) { [weak self] in
            self?.take($0, of: current) { $0.chapters = $1.chapters }
        }
        guard cues.isEmpty else { return }
        context.read(ShowTranscript { $0.episode = current.label }) { [weak self] in
            self?.take($0, of: current) { $0.cues = $1.cues.map(\.cue) }
        }
    }

    private func take<Reply>(_ reply: Reply?, of episode: EpisodeID, _ set: (NowPlaying, Reply) -> Void) {
        guard let reply, self.episode == episode else { return }
        set(self, reply)
        screen?.reload()
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
        row.subtitle = [StatusText.time(shown) ?? "", player.feed?.title ?? ""].joined(separator: "  ")
        row.hasFailed = player.error != nil
        if let error = player.error { row.subtitle = error }
    }
}

/// The chapters of an episode; selecting one plays from it.
private func chapterSection(
    _ context: ScreenContext, _ chapters: @escaping () -> [ChapterReply], of episode: EpisodeID?
) -> RowSection<(offset: Int, element: ChapterReply)> {
    let section = RowSection(.plain, { Array(chapters().filter(\.chapter.isListed).enumerated()) }) {
        (chapter: (offset: Int, element: ChapterReply), row: inout TableRow) in
        let (place, isSkipped) = (chapter.element.chapter, chapter.element.isSkipped)
        row.title = place.title ?? "Chapter \(chapter.offset + 1)"
        row.detail = place.start.description + (isSkipped ? ", skipped" : "")
        let player = context.model.player
        row.isCurrent =
            player.chapter?.chapter.start == place.start && (episode == nil || player.episode?.id == episode)
    }
    section.heading = { chapters().isEmpty ? nil : "Chapters" }
    section.text = { $0.element.chapter.title ?? "" }
    section.onSelect = { chapter in
        if let episode {
            context.run(
                Play {
                    $0.what = episode.label
                    $0.position = .absolute(chapter.element.chapter.start)
                })
        } else {
            context.run(Seek { $0.time = .absolute(chapter.element.chapter.start) })
        }
    }
    return section
}
