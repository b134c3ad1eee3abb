internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// A path for a resource on top of `/api/v1/SECTION/VERB`.
struct ResourceRoute {
    let method: String
    /// Parts of the path after `/api/v1/`; `{name}` is a value.
    let parts: [String]
    let command: String
    /// The parameter for the value in the path.
    let parameter: String?
    /// The sign before a value that is a number, such as `e` for an episode's id; nil for a setting's name, which has a point.
    let sign: String?

    init(_ method: String, _ path: String, _ command: String, _ parameter: String? = nil, _ sign: String? = nil) {
        parts = path.split(separator: "/").map(String.init)
        self.method = method
        self.command = command
        self.parameter = parameter
        self.sign = sign
    }

    static let all: [ResourceRoute] = [
        ResourceRoute("GET", "status", GetStatus.name),
        ResourceRoute("GET", "commands", ListCommands.name),
        ResourceRoute("GET", "queue", ListQueue.name),
        ResourceRoute("POST", "queue", AddToQueue.name),
        ResourceRoute("DELETE", "queue", ClearQueue.name),
        ResourceRoute("DELETE", "queue/{index}", RemoveFromQueue.name, "what", "#"),
        ResourceRoute("GET", "feeds", ListFeeds.name),
        ResourceRoute("POST", "feeds", Subscribe.name),
        ResourceRoute("GET", "feeds/{id}", ShowFeed.name, "feed", "f"),
        ResourceRoute("DELETE", "feeds/{id}", Unsubscribe.name, "feeds", "f"),
        ResourceRoute("GET", "feeds/{id}/settings", ListFeedSettings.name, "feed", "f"),
        ResourceRoute("GET", "feeds/{id}/episodes", ListEpisodes.name, "feed", "f"),
        ResourceRoute("GET", "feeds/{id}/picture", GetPicture.name, "what", "f"),
        ResourceRoute("GET", "episodes", ListEpisodes.name),
        ResourceRoute("GET", "episodes/{id}", ShowEpisode.name, "episode", "e"),
        ResourceRoute("GET", "episodes/{id}/chapters", ListChapters.name, "episode", "e"),
        ResourceRoute("GET", "episodes/{id}/transcript", ShowTranscript.name, "episode", "e"),
        ResourceRoute("GET", "episodes/{id}/picture", GetPicture.name, "what", "e"),
        ResourceRoute("PUT", "episodes/{id}/note", NoteEpisode.name, "episode", "e"),
        ResourceRoute("PUT", "episodes/{id}/position", SetPosition.name, "episode", "e"),
        ResourceRoute("PUT", "episodes/{id}/star", StarEpisodes.name, "what", "e"),
        ResourceRoute("DELETE", "episodes/{id}/star", UnstarEpisodes.name, "what", "e"),
        ResourceRoute("PUT", "episodes/{id}/download", DownloadEpisodes.name, "what", "e"),
        ResourceRoute("DELETE", "episodes/{id}/download", DeleteDownloads.name, "what", "e"),
        ResourceRoute("GET", "downloads", ListDownloads.name),
        ResourceRoute("GET", "history", ListHistory.name),
        ResourceRoute("GET", "activities", ListActivities.name),
        ResourceRoute("GET", "outputs", ListOutputs.name),
        ResourceRoute("GET", "devices", ListDevices.name),
        ResourceRoute("GET", "playlists", ListPlaylists.name),
        ResourceRoute("GET", "bookmarks", ListBookmarks.name),
        ResourceRoute("GET", "rules", ListRules.name),
        ResourceRoute("GET", "settings", ListSettings.name),
        ResourceRoute("GET", "settings/{key}", GetSetting.name, "key"),
        ResourceRoute("PUT", "settings/{key}", SetSetting.name, "key"),
        ResourceRoute("DELETE", "settings/{key}", ResetSetting.name, "key"),
    ]

    /// The value in a path that matches; empty if the path has none; nil if the path does not match.
    func match(_ given: [Substring]) -> String? {
        guard given.count == parts.count else { return nil }
        var found = ""
        for (part, text) in zip(parts, given) {
            if !part.hasPrefix("{") {
                if part != text { return nil }
                continue
            }
            let isNumber = (1...18).contains(text.utf8.count) && text.utf8.allSatisfy(\.isDigit)
            guard sign == nil ? text.contains(".") : isNumber else { return nil }
            found = (sign ?? "") + text
        }
        return found
    }
}
