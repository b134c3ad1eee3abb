internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import TableUI

/// What keys do on any screen: to the player, and to what the cursor is on.
struct PlayerActions {
    let context: ScreenContext

    init(_ context: ScreenContext) { self.context = context }

    func perform(_ action: TerminalAction, on subject: Subject) {
        switch action {
        case .togglePlayback: context.run(TogglePlayback())
        case .stop: context.run(Stop())
        case .next: context.run(PlayNext())
        case .previous: context.run(PlayPrevious())
        case .seekForward: seek(15)
        case .seekBack: seek(-15)
        case .seekForwardFar: seek(60)
        case .seekBackFar: seek(-60)
        case .nextChapter: context.run(GoToChapter { $0.chapter = "next" })
        case .previousChapter: context.run(GoToChapter { $0.chapter = "previous" })
        case .faster: change(speed: 0.05)
        case .slower: change(speed: -0.05)
        case .louder: change(volume: 5)
        case .quieter: change(volume: -5)
        case .sleep: askForSleep()
        case .bookmark: askForBookmark()
        case .subscribe: context.open(.subscribe)
        case .findShows:
            context.ask(
                Prompt(
                    label: "Search directories for: ", kind: .text(TextField()),
                    done: { if !$0.isEmpty { context.open(.found($0)) } }))
        case .importDocument: context.askForImport()
        case .refreshAll: context.refreshDueFeeds()
        case .undo: context.run(Undo { $0.act = context.promisedAct }) { context.say(UndoText.undone($0)) }
        case .redo: context.run(Redo()) { context.say(UndoText.redone($0)) }
        case .play, .add, .insertNext, .star, .markPlayed, .download, .note, .details, .refresh, .feedSettings:
            perform(action, onSubject: subject)
        default: context.say("this does nothing here", isError: true)
        }
    }

    private func perform(_ action: TerminalAction, onSubject subject: Subject) {
        guard let what = subject.what else { return context.say("put the cursor on an episode first", isError: true) }
        switch (action, subject) {
        case (.play, _): context.run(Play { $0.what = what }) { if let note = $0.note { context.say(note) } }
        case (.add, _): context.run(AddToQueue { $0.what = [what] }) { said($0, "queued") }
        case (.insertNext, _): context.run(InsertIntoQueue { $0.what = [what] }) { said($0, "queued next") }
        case (.download, .episode(let episode)) where episode.state.isDownloaded:
            context.say("\(episode.title) is downloaded already")
        case (.download, _): context.run(DownloadEpisodes { $0.what = [what] }) { _ in context.say("downloading") }
        case (.star, .episode(let episode)):
            if episode.state.isStarred {
                context.run(UnstarEpisodes { $0.what = [what] })
            } else {
                context.run(StarEpisodes { $0.what = [what] })
            }
        case (.markPlayed, .episode(let episode)):
            context.run(
                MarkEpisodes {
                    $0.mark = episode.state.isPlayed ? .unplayed : .played
                    $0.what = [what]
                }
            ) { _ in context.say("marked as \(episode.state.isPlayed ? "unplayed" : "played")") }
        case (.markPlayed, .feed(let feed)):
            ask("Mark all episodes of \(feed.distinctTitle) as played? (y/n) ") {
                context.run(MarkEpisodes { $0.what = [what] }) {
                    context.promise("marked \($0.episodes.count) as played; 'u' brings them back")
                }
            }
        case (.note, .episode(let episode)): askForNote(episode)
        case (.details, .episode(let episode)): context.open(.episode(episode.id))
        case (.details, .episodeID(let id)): context.open(.episode(id))
        case (.refresh, .feed(let feed)): refresh(feed.id)
        case (.refresh, .episode(let episode)): refresh(episode.feed)
        case (.feedSettings, .feed(let feed)): context.open(.feedSettings(feed.id))
        case (.feedSettings, .episode(let episode)): context.open(.feedSettings(episode.feed))
        case (_, _): context.say("this does nothing here", isError: true)
        }
    }

    private func said(_ reply: QueueAdditionReply, _ how: String) {
        let count = reply.entries.count
        if count == 0 { return context.say("it is in the queue already") }
        context.say("\(how): \(count) \(count == 1 ? "episode" : "episodes"); \(reply.length) in the queue")
    }

    private func seek(_ seconds: Double) {
        context.run(Seek { $0.time = .relative(MediaTime(seconds: seconds)) }) { context.say(StatusText.place($0)) }
    }

    private func change(speed: Double) {
        context.run(SetSpeed { $0.change = speed }) { context.say("speed \(StatusText.number($0.speed))") }
    }

    private func change(volume: Int) {
        context.run(SetVolume { $0.change = volume }) { context.say("volume \($0.volume) %") }
    }

    private func refresh(_ feed: FeedID) {
        context.run(RefreshFeeds { $0.feeds = [feed.label] }) { reply in
            context.say(reply, "\(context.feedTitle(feed)): refreshed, \(counted(reply.newEpisodes, "new episode"))")
        }
    }

    // MARK: questions

    private func ask(_ label: String, _ yes: @escaping () -> Void) {
        context.ask(Prompt(label: label, kind: .confirmation, done: { _ in yes() }))
    }

    func askForNote(_ episode: Episode, next: ((_ backwards: Bool) -> Void)? = nil) {
        context.ask(
            Prompt(
                label: "Note: ", kind: .text(TextField(episode.state.note ?? "")), next: next,
                done: { text in
                    context.run(
                        NoteEpisode {
                            $0.episode = episode.id.label
                            $0.text = text
                        }
                    ) { _ in context.say(text.isEmpty ? "removed the note" : "noted") }
                }))
    }

    /// The place is that of the key, not of the end of typing.
    private func askForBookmark() {
        let player = context.model.player.state(at: context.now())
        context.ask(
            Prompt(
                label: "Bookmark: ", kind: .text(TextField()),
                done: { text in
                    let command = AddBookmark {
                        $0.text = text
                        $0.episode = player.episode?.id.label
                        $0.at = player.position.map { .absolute($0) }
                    }
                    context.run(command) { context.say("bookmarked \($0.position)") }
                }))
    }

    private func askForSleep() {
        context.ask(
            Prompt(
                label: "Sleep (minutes, 1h30m, 23:30, end-of-episode, end-of-chapter, off): ", kind: .text(TextField()),
                done: { text in
                    context.run(SetSleepTimer { $0.when = SleepRequest.sent(text) }) {
                        context.say("sleep timer: \($0.sleep.map(StatusText.sleep) ?? "off")")
                    }
                }))
    }
}
