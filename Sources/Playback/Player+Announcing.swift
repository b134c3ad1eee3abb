internal import MediaPorts
internal import PodcastModel

extension Player {
    /// How long playback fades out.
    private static let fadeLength = Duration.milliseconds(500)
    private static let fadeSteps = 10

    /// Fades playback out, plays a message once, and returns to where the fade began. What was paused or stopped is so again.
    /// - Parameters:
    ///   - url: as `MediaOpening` expects it.
    ///   - volume: of the message, 0 to 100; nil for the user's.
    public func announce(url: String, title: String, volume: Int?) async throws {
        let fadedFrom = await fadeOut()
        let place = sleepTimer.fadePlace ?? fadedFrom
        messageVolume = volume.map(Volume.clamped)
        // Like music, a message plays at normal speed.
        var media = PlaybackMedia(url: url, title: title)
        media.isMusic = true
        fade = 1
        try await command(.announce(media, leavingAt: place))
    }

    /// - Returns: where the fade began; nil if nothing sounded, or if something else plays meanwhile.
    private func fadeOut() async -> MediaTime? {
        guard case .playing(let listening) = machine.state, !machine.isAnnouncing, fade == 1 else { return nil }
        let playhead = renderer.playhead
        guard playhead.generation == listening.generation else { return nil }
        let place = playhead.position(at: clock.now)
        for step in 1...Self.fadeSteps {
            fade = 1 - Double(step) / Double(Self.fadeSteps)
            applyGain()
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                _ = clock.schedule(after: Self.fadeLength / Self.fadeSteps) { continuation.resume() }
            }
            guard machine.current.listening?.generation == listening.generation else { return nil }
        }
        return place
    }
}
