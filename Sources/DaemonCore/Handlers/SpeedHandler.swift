internal import ControlLanguage
internal import ControlProtocol
internal import Library
internal import LibraryUpkeep
internal import Playback
internal import PodcastModel
internal import Queueing

extension DaemonParts {
    /// Changes the speed of the current episode, also while playback is stopped: the feed's speed if the feed has its own or
    /// publishes music, else the speed of all feeds.
    func setSpeed(_ request: SetSpeed) async throws -> SpeedReply {
        let before = current.status
        guard let wanted = try wanted(request, from: before.speed) else { return SpeedReply(before.speed) }
        if let feed = before.feed, try await hasOwnSpeed(feed) {
            try await library.perform { store in
                let title = try store.feeds.feed(feed).title
                try store.history.act(.speed, title: title) {
                    try store.feeds.setSetting(FeedSetting.speed.rawValue, to: wanted.description, of: feed)
                }
            }
            changes.changed(.feeds, [RowChange(.update, feed.rawValue)])
            await PlayingSound(library: library, player: player).refresh()
            return SpeedReply(wanted.factor, feed: feed)
        }
        try await settingChanges.set("playback.speed", to: wanted.description, as: .speed, title: "all feeds")
        return SpeedReply(wanted.factor)
    }

    private func hasOwnSpeed(_ feed: FeedID) async throws -> Bool {
        try await library.read { store in
            let sound = try PlayingSound.sound(of: feed, in: store)
            return sound.isMusic || sound.settings.speed != nil
        }
    }

    private func wanted(_ request: SetSpeed, from speed: Double) throws(ControlError) -> PlaybackSpeed? {
        switch (request.speed, request.change) {
        case (nil, nil): return nil
        case (_?, _?):
            throw ControlError(.invalidArgument, "speed takes either a speed or a change", hint: "1.5, +0.1 or -0.1")
        case (let factor?, nil): return PlaybackSpeed(factor: factor)
        case (nil, let change?):
            let hundredths = ((speed + change) * 100).rounded()
            return PlaybackSpeed(hundredths: Int(min(max(hundredths, 0), 1000)))
        }
    }
}
