internal import Configuration
internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import Library
internal import Playback
internal import PodcastModel
internal import SystemCalls

extension DaemonParts {
    func setFeed(_ request: SetFeed) async throws -> FeedSettingReply {
        let key = request.key
        guard let setting = FeedSetting(rawValue: key) else {
            throw ControlError(
                .invalidArgument, "a feed has no setting \(key)",
                hint: "there are: \(FeedSetting.words.joinedText(", "))")
        }
        if let problem = request.value.flatMap(setting.objection) { throw ControlError(.invalidArgument, problem) }
        let value = request.value.map(setting.canonical)
        let feed = try await library.perform { try $0.feeds.resolveFeed(request.feed).id }
        // Also after a failure: a feed may have moved, although its login could not be saved. Episodes name their feed.
        defer { feedsChanged([feed].changes(.update), episodes: setting == .title ? nil : []) }
        let shown = try await library.perform { try apply(setting, value, to: $0.feeds.feed(feed), in: $0) }
        if setting == .volume {
            let percentage = request.value.flatMap(ValueKind.percent.number).map { Int($0) }
            await player.setFeedVolume(percentage, of: feed)
        }
        let isOwnTitle = setting == .title && request.value == nil
        let title = isOwnTitle ? try await library.read { try $0.feeds.feed(feed).title } : nil
        return FeedSettingReply {
            $0.feed = feed
            $0.key = key
            $0.value = shown
            $0.current = title
        }
    }

    func listSettings(_ request: ListFeedSettings) async throws -> FeedSettingListReply {
        try await library.read { [logins] store in
            let feed = try store.feeds.resolveFeed(request.feed)
            let isMusic = try store.feeds.details(of: feed.id).medium == "music"
            let stored = try store.feeds.settings(of: feed.id)
            let login = try logins.read().login(ofFeedAt: [feed.url] + feed.formerURLs)
            let refresh = stored[FeedSetting.refresh.rawValue].flatMap(RefreshInterval.init(parsing:))
            // The others are stored as they are shown.
            let shown: [FeedSetting: String?] = [
                .title: feed.title, .url: feed.url, .username: login?.username,
                .password: login.flatMap { $0.password.isEmpty ? nil : "…" }, .tags: feed.tags.joinedText(","),
                .refresh: refresh?.description, .loginHosts: login?.mediaHosts.joinedText(" "),
            ]
            return FeedSettingListReply {
                $0.feed = feed.id
                $0.settings = FeedSetting.allCases.map { setting in
                    DeclaredFeedSettingReply(
                        setting, value: (shown[setting] ?? stored[setting.rawValue])?.nonEmpty,
                        inherited: self.inherited(setting, isMusic: isMusic))
                }
            }
        }
    }

    /// The value in effect if the feed has none; nil if the settings of the daemon do not decide the value.
    private func inherited(_ setting: FeedSetting, isMusic: Bool) -> String? {
        if setting == .volume { return "100" }
        guard let all = SettingTable.declaration("playback.\(setting.rawValue)") else { return nil }
        return isMusic ? all.defaultValue : settings[all.key]
    }

    /// Sets the value, on the library's thread.
    /// - Returns: what may be shown of the value.
    private func apply(
        _ setting: FeedSetting, _ value: String?, to feed: Feed, in store: LibraryStore
    ) throws -> String? {
        func change(_ feed: Feed, _ setting: FeedSetting, _ change: (inout FeedLogin) -> Void) throws {
            try self.change(feed, change)
            try store.history.recordLoginAct(setting.rawValue, of: feed)
        }
        switch setting {
        case .tags: try store.imports.setTags((value ?? "").split(separator: ",").map(String.init), of: feed.id)
        case .url: return try move(feed, to: value, in: store)
        case .refresh:
            try store.feeds.setSetting(setting.rawValue, to: value, of: feed.id)
            return value.flatMap(RefreshInterval.init(parsing:))?.description
        case .username: try change(feed, setting) { $0.username = value ?? "" }
        case .password:
            try change(feed, setting) { $0.password = value ?? "" }
            return value.map { _ in "…" }
        case .loginHosts:
            let hosts = (value ?? "").lowercased().split { $0 == " " || $0 == "," }.map(String.init)
            if let odd = hosts.first(where: { HTTPURL.host(of: "https://\($0)/") != $0 }) {
                throw ControlError(
                    .invalidArgument, "\(odd) is not a host name",
                    hint: "write names without https:// and without ports")
            }
            try change(feed, setting) { $0.mediaHosts = hosts }
            return value.map { _ in hosts.joinedText(" ") }
        case .title, .userAgent, .volume, .speed, .silence, .loudness, .voiceBoost, .mono, .skipStart, .skipEnd,
            .skipChapters:
            try store.feeds.setSetting(setting.rawValue, to: value, of: feed.id)
        }
        return value
    }

    private func move(_ feed: Feed, to value: String?, in store: LibraryStore) throws -> String {
        guard let value, WebAddress.isStorable(value), HTTPURL.host(of: value) != nil else {
            throw ControlError(.invalidArgument, "not a valid http or https URL")
        }
        let url = HTTPURL.withoutCredentials(value)
        do throws(LibraryError) {
            try store.feeds.moveFeed(feed.id, to: url)
        } catch {
            guard case .alreadySubscribed(let other) = error else { throw error }
            let title = try store.feeds.feed(other).title
            throw ControlError(
                .conflict, "another feed has this URL: \(title) (\(other.label))",
                hint: "unsubscribe from one of them: podcastctl unsubscribe \(other.label)")
        }
        let given = HTTPURL.credentials(of: value)
        let isElsewhere = HTTPURL.host(of: feed.url) != HTTPURL.host(of: url)
        if given != nil || (!isElsewhere && (try? logins.read().login(ofFeedAt: [feed.url] + feed.formerURLs)) != nil) {
            try change(try store.feeds.feed(feed.id)) { login in
                if let given {
                    login.username = given.username
                    login.password = given.password
                }
            }
        }
        return url
    }

    private func change(_ feed: Feed, _ change: (inout FeedLogin) -> Void) throws(ControlError) {
        try mapError(of: logins.update([feed.url] + feed.formerURLs, change)) { (error: SystemError) in
            ControlError(.storageFailed, "the login could not be saved: \(error)")
        }
    }
}
