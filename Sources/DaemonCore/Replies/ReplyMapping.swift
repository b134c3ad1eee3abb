internal import AudioOutput
internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import Library
internal import PodcastModel
internal import Queueing
internal import Reporting

// Converts values of the model to replies, whose names and forms on the wire `ControlProtocol` declares.

extension EpisodeReply {
    /// An episode in a list ordered by date.
    init(listing episode: Episode) { self.init(episode, key: EpisodeKey(of: episode).wireText) }
}

extension NamedReply {
    /// What a word became.
    init(_ chosen: ChosenEpisodes) {
        self.init()
        (what, title, count, hasMore) = (chosen.word, chosen.title, chosen.episodes.count, chosen.hasMore)
        switch (chosen.object, Name(chosen.word, number: .episode)) {
        case (.episode(let id)?, _): (kind, self.id) = (.episode, Int(clamping: id.rawValue))
        case (.feed(let id)?, _): (kind, self.id) = (.feed, Int(clamping: id.rawValue))
        case (nil, .playlist): kind = .playlist
        case (nil, .filter): kind = .filter
        case (nil, _): kind = .range
        }
    }
}

extension HeardReply {
    /// A line of the listening history.
    init(_ record: HistoryRecord) {
        self.init()
        (self.record, key) = (record, HistoryKey(time: record.time, number: record.number).wireText)
    }
}

extension FeedReply {
    /// A feed in the list of all.
    init(listing feed: Feed) { self.init(feed, key: feed.id.description) }
}

extension SettingReply {
    init(_ declaration: SettingDeclaration, in values: SettingsService.Values) {
        self.init()
        let settings = values.settings
        let key = declaration.key
        (self.key, label) = (key, declaration.label)
        value = settings[key]
        active = values.active(declaration)
        defaultValue = declaration.defaultValue
        origin = settings.origin(of: key).name
        clientValue = settings.value(of: key, from: .client)
        needsRestart = declaration.needsRestart
        isWaiting = active != value
        isClientSettable = declaration.isClientSettable
        help = declaration.help.joined(separator: " ")
        kind = declaration.kind
        if let clientValue, clientValue != value {
            note = "\(clientValue) takes effect after a restart of podcastd without its option on the command line"
        } else if isWaiting {
            note = "takes effect after a restart of podcastd"
        }
    }
}
