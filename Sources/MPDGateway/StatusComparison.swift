internal import ControlClient
internal import ControlProtocol
internal import PodcastModel

extension PlayerReply {
    /// A position that differs by more from where it would have run is a seek.
    private static let jump = MediaTime(milliseconds: 1_500)

    /// What `idle` reports when the player is so after it was `before`.
    func changes(since before: PlayerReply) -> MPDSubsystems {
        var changes: MPDSubsystems = []
        if volume != before.volume { changes.insert(.mixer) }
        if endsAfterEpisode != before.endsAfterEpisode { changes.insert(.options) }
        if stateName != before.stateName || episode?.entry != before.episode?.entry || error != before.error
            || duration != before.duration || episode?.title != before.episode?.title || hasJumped(from: before)
        {
            changes.insert(.player)
        }
        return changes
    }

    private func hasJumped(from before: PlayerReply) -> Bool {
        guard let position, let expected = before.position(at: instant) else { return position != nil }
        return abs(position.nanoseconds - expected.nanoseconds) > Self.jump.nanoseconds
    }

    var stateName: String {
        switch state {
        case .stopped: "stop"
        case .paused: "pause"
        case .loading, .buffering, .playing: "play"
        }
    }

    /// Whether playback ends with the current episode: MPD's `single oneshot`.
    var endsAfterEpisode: Bool { sleep?.end == .episode && sleep?.episodes ?? 1 <= 1 }
}
