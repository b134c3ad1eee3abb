public import PodcastModel

extension SoundSettings {
    public init(_ settings: Settings) {
        self.init()
        func isOn(_ name: String) -> Bool { settings["playback.\(name)"] == "yes" }
        speed = PlaybackSpeed(parsing: settings["playback.speed"]) ?? .normal
        shortensSilence = isOn("silence")
        silence = SilenceShortening(
            threshold: settings.integer("playback.silence_threshold"),
            shortest: settings.integer("playback.silence_shortest"), kept: settings.integer("playback.silence_kept"))
        loudness = FeedSound.Loudness(parsing: settings["playback.loudness"])?.target
        hasVoiceBoost = isOn("voice_boost")
        isMono = isOn("mono")
        skippedStart = MediaTime(seconds: Double(settings.seconds("playback.skip_start")))
        skippedEnd = MediaTime(seconds: Double(settings.seconds("playback.skip_end")))
        skippedChapters = FeedSound.titles(settings["playback.skip_chapters"])
    }
}
