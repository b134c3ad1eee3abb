internal import ControlLanguage
internal import ControlProtocol

/// A path for a resource on top of `/api/v1/SECTION/VERB`.
struct ResourceRoute: Sendable {
    /// How a part of the path becomes a parameter.
    enum PathValue: Sendable {
        /// A number that is passed with a letter before it: an episode's or feed's id.
        case id(String)
        /// Text with a point in it, such as a setting's name.
        case key
    }

    let method: String
    /// Parts of the path after `/api/v1/`; `{name}` is a value.
    let parts: [String]
    let command: String
    /// The parameter for the value in the path.
    let parameter: String?
    let value: PathValue
    /// Whether the parameter is a list.
    let isList: Bool

    init(
        _ method: String, _ path: String, _ command: String, _ parameter: String? = nil, _ value: PathValue = .key,
        isList: Bool = false
    ) {
        self.method = method
        parts = path.split(separator: "/").map(String.init)
        (self.command, self.parameter, self.value, self.isList) = (command, parameter, value, isList)
    }

    static let all: [ResourceRoute] = [
        ResourceRoute("GET", "status", GetStatus.name),
        ResourceRoute("GET", "commands", ListCommands.name),
        ResourceRoute("GET", "queue", ListQueue.name),
        ResourceRoute("POST", "queue", AddToQueue.name),
        ResourceRoute("DELETE", "queue", ClearQueue.name),
        ResourceRoute("DELETE", "queue/{index}", RemoveFromQueue.name, "what", .id("#"), isList: true),
        ResourceRoute("GET", "feeds", ListFeeds.name),
        ResourceRoute("POST", "feeds", Subscribe.name),
        ResourceRoute("GET", "feeds/{id}", ShowFeed.name, "feed", .id("f")),
        ResourceRoute("DELETE", "feeds/{id}", Unsubscribe.name, "feeds", .id("f"), isList: true),
        ResourceRoute("GET", "feeds/{id}/settings", ListFeedSettings.name, "feed", .id("f")),
        ResourceRoute("GET", "feeds/{id}/episodes", ListEpisodes.name, "feed", .id("f")),
        ResourceRoute("GET", "feeds/{id}/picture", GetPicture.name, "what", .id("f")),
        ResourceRoute("GET", "episodes", ListEpisodes.name),
        ResourceRoute("GET", "episodes/{id}", ShowEpisode.name, "episode", .id("e")),
        ResourceRoute("GET", "episodes/{id}/chapters", ListChapters.name, "episode", .id("e")),
        ResourceRoute("GET", "episodes/{id}/transcript", ShowTranscript.name, "episode", .id("e")),
        ResourceRoute("GET", "episodes/{id}/picture", GetPicture.name, "what", .id("e")),
        ResourceRoute("PUT", "episodes/{id}/note", NoteEpisode.name, "episode", .id("e")),
        ResourceRoute("PUT", "episodes/{id}/star", StarEpisodes.name, "what", .id("e"), isList: true),
        ResourceRoute("DELETE", "episodes/{id}/star", UnstarEpisodes.name, "what", .id("e"), isList: true),
        ResourceRoute("PUT", "episodes/{id}/download", DownloadEpisodes.name, "what", .id("e"), isList: true),
        ResourceRoute("DELETE", "episodes/{id}/download", DeleteDownloads.name, "what", .id("e"), isList: true),
        ResourceRoute("GET", "downloads", ListDownloads.name),
        ResourceRoute("GET", "history", ListHistory.name),
        ResourceRoute("GET", "activities", ListActivities.name),
        ResourceRoute("GET", "outputs", ListOutputs.name),
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
            switch value {
            case .id(let letter):
                guard text.utf8.count <= 18, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else {
                    return nil
                }
                found = letter + text
            case .key:
                guard text.contains(".") else { return nil }
                found = String(text)
            }
        }
        return found
    }
}
