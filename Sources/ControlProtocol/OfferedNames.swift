public import PodcastModel

/// Names that completions of a command line offer for a parameter; the raw value is `ValueKind.names`.
public enum OfferedNames: String, CaseIterable, Sendable {
    case feed, episode, playlist, output, setting, sleep, chapter, tag, command, bookmark
    /// Episodes, feeds and playlists.
    case title
    case feedSetting = "feed-setting"
    case feedValue = "feed-value"
    case settingValue = "setting-value"
}

extension ValueKind {
    static var feed: ValueKind { what.offering(.feed) }
    static var episode: ValueKind { what.offering(.episode) }
    static var title: ValueKind { what.offering(.title) }

    public func offering(_ names: OfferedNames) -> ValueKind {
        var kind = self
        kind.names = names.rawValue
        return kind
    }
}
