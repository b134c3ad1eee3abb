internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

/// What keys do on any screen: to the player, and to what the cursor is on.
extension ScreenContext {
    func seek(_ seconds: Double) {
        run(Seek { $0.time = .relative(MediaTime(seconds: seconds)) }) { [self] in say(StatusText.place($0)) }
    }

    func change(speed: Double) {
        run(SetSpeed { $0.change = speed }) { [self] in say("speed \(StatusText.number($0.speed))") }
    }

    func change(volume: Int) { run(SetVolume { $0.change = volume }) { [self] in say("volume \($0.volume) %") } }

    func undo() { run(Undo { $0.act = promisedAct }) { [self] in say(UndoText.undone($0)) } }
    func redo() { run(Redo()) { [self] in say(UndoText.redone($0)) } }

    // MARK: the row under the cursor

    func play(_ subject: Subject) -> Void? {
        if case .output(let output) = subject {
            return run(PlayOnOutput { $0.name = output.name }) { [self] _ in promise("only \(output.name) plays") }
        }
        return run(Play { $0.what = subject.what }) { [self] in say($0.note ?? "") }
    }

    /// Seeks in the episode that plays, or plays another one.
    func play(from position: MediaTime, of episode: EpisodeID? = nil) {
        guard let episode else { return run(Seek { $0.time = .absolute(position) }) }
        run(
            Play {
                $0.what = episode.label
                $0.position = .absolute(position)
            })
    }

    func add(_ subject: Subject) -> Void? {
        queue(subject, "queued") { what in AddToQueue { $0.what = [what] } }
    }

    func insert(_ subject: Subject) -> Void? {
        queue(subject, "queued next") { what in InsertIntoQueue { $0.what = [what] } }
    }

    /// Asks before it queues more episodes than these.
    private static let manyEpisodes = 50

    private func queue<Addition: Command>(
        _ subject: Subject, _ how: String, _ addition: (String) -> Addition
    ) -> Void? where Addition.Reply == QueueAdditionReply {
        guard let command = subject.what.map(addition) else { return nil }
        let add = { [self] in
            run(command) { [self] reply in
                let count = reply.entries.count
                if count == 0 { return say("it is in the queue already") }
                let text = "\(how): \(counted(count, "episode")); \(reply.length) in the queue"
                if count > 1 { promise(text) } else { say(text) }
            }
        }
        let count = subject.episodeCount
        return count <= Self.manyEpisodes ? add() : confirm("Queue \(count) episodes?", yes: add)
    }

    func download(_ subject: Subject) -> Void? {
        guard let what = subject.what else { return nil }
        if let episode = subject.episode, episode.state.isDownloaded {
            return say("\(episode.title) is downloaded already")
        }
        return run(DownloadEpisodes { $0.what = [what] }) { [self] _ in say("downloading") }
    }

    func deleteDownload(of episode: EpisodeID, _ title: String) {
        run(DeleteDownloads { $0.what = [episode.label] }) { [self] _ in say("deleted the download of \(title)") }
    }

    func star(_ subject: Subject) -> Void? {
        guard let episode = subject.episode else { return nil }
        let what = [episode.id.label]
        return episode.state.isStarred ? run(UnstarEpisodes { $0.what = what }) : run(StarEpisodes { $0.what = what })
    }

    func mark(_ subject: Subject) -> Void? {
        guard let what = subject.what else { return nil }
        switch subject {
        case .episode(let episode):
            let mark: MarkEpisodes.Mark = episode.state.isPlayed ? .unplayed : .played
            return run(
                MarkEpisodes {
                    $0.mark = mark
                    $0.what = [what]
                }
            ) { [self] _ in
                say("marked as \(mark.rawValue)")
            }
        case .feed(let feed):
            return confirm("Mark all episodes of \(feed.distinctTitle) as played?") { [self] in
                run(MarkEpisodes { $0.what = [what] }) { [self] in
                    promise("marked \($0.episodes.count) as played")
                }
            }
        case .episodeID, .playlist, .output: return nil
        }
    }

    func refresh(_ feed: FeedID) {
        run(RefreshFeeds { $0.feeds = [feed.label] }) { [self] reply in
            say(reply, "\(feedTitle(feed)): refreshed, \(counted(reply.newEpisodes, "new episode"))")
        }
    }

    // MARK: questions

    func askForNote(_ episode: Episode, next: ((_ backwards: Bool) -> Void)? = nil) {
        ask("Note: ", text: episode.state.note ?? "", next: next) { [self] text in
            run(
                NoteEpisode {
                    $0.episode = episode.id.label
                    $0.text = text
                }
            ) { [self] _ in
                say(text.isEmpty ? "removed the note" : "noted")
            }
        }
    }

    func askForPlaylist(_ subject: Subject) -> Void? {
        guard let what = subject.what else { return nil }
        return ask("Add to playlist: ") { [self] name in
            if name.isEmpty { return }
            let command = AddToPlaylist {
                $0.name = name
                $0.what = [what]
            }
            run(command) { [self] in promise("added \(counted($0.entries.count, "episode")) to \(name)") }
        }
    }

    /// The place is that of the key, not of the end of typing.
    func askForBookmark() {
        let player = model.player.state(at: now())
        ask("Bookmark: ") { [self] text in
            let command = AddBookmark {
                $0.text = text
                $0.episode = player.episode?.id.label
                $0.at = player.position.map { .absolute($0) }
            }
            run(command) { [self] in say("bookmarked \($0.position)") }
        }
    }

    func askForSleep() {
        ask("Sleep (minutes, 1h30m, 23:30, end-of-episode, end-of-chapter, off): ") { [self] text in
            run(SetSleepTimer { $0.when = SleepRequest.sent(text) }) { [self] in
                say("sleep timer: \($0.sleep.map(StatusText.sleep) ?? "off")")
            }
        }
    }

    func askForShows() { ask("Search directories for: ") { [self] words in if !words.isEmpty { open(.found(words)) } } }
}
