internal import ControlLanguage
internal import ControlProtocol
internal import PodcastModel

/// A path for a resource on top of `/api/v1/SECTION/VERB`.
struct ResourceRoute {
    let method: String
    /// Parts of the path after `/api/v1/`; `{name}` is a value.
    let parts: [String]
    let command: String

    static let all = commands.map { route, command in
        let parts = route.split { " /".contains($0) }.map(String.init)
        return ResourceRoute(method: parts[0], parts: Array(parts.dropFirst()), command: command)
    }

    private static let commands: KeyValuePairs = [
        "GET status": GetStatus.name,
        "GET commands": ListCommands.name,
        "GET queue": ListQueue.name,
        "POST queue": AddToQueue.name,
        "DELETE queue": ClearQueue.name,
        "DELETE queue/{index}": RemoveFromQueue.name,
        "GET feeds": ListFeeds.name,
        "POST feeds": Subscribe.name,
        "GET feeds/{id}": ShowFeed.name,
        "DELETE feeds/{id}": Unsubscribe.name,
        "GET feeds/{id}/settings": ListFeedSettings.name,
        "GET feeds/{id}/episodes": ListEpisodes.name,
        "GET feeds/{id}/picture": GetPicture.name,
        "GET episodes": ListEpisodes.name,
        "GET episodes/{id}": ShowEpisode.name,
        "GET episodes/{id}/chapters": ListChapters.name,
        "GET episodes/{id}/transcript": ShowTranscript.name,
        "GET episodes/{id}/picture": GetPicture.name,
        "PUT episodes/{id}/note": NoteEpisode.name,
        "PUT episodes/{id}/position": SetPosition.name,
        "PUT episodes/{id}/star": StarEpisodes.name,
        "DELETE episodes/{id}/star": UnstarEpisodes.name,
        "PUT episodes/{id}/download": DownloadEpisodes.name,
        "DELETE episodes/{id}/download": DeleteDownloads.name,
        "GET downloads": ListDownloads.name,
        "GET history": ListHistory.name,
        "GET activities": ListActivities.name,
        "GET outputs": ListOutputs.name,
        "GET devices": ListDevices.name,
        "GET playlists": ListPlaylists.name,
        "GET bookmarks": ListBookmarks.name,
        "GET rules": ListRules.name,
        "GET settings": ListSettings.name,
        "GET settings/{key}": GetSetting.name,
        "PUT settings/{key}": SetSetting.name,
        "DELETE settings/{key}": ResetSetting.name,
    ]

    /// The parameter for the value in the path: the command's first.
    func parameter(of declaration: CommandDeclaration) -> ParameterDeclaration? {
        parts.contains { $0.hasPrefix("{") } ? declaration.parameters.first : nil
    }

    /// The sign before a value that is a number, such as `e` for an episode's id; nil for a setting's name, which has a point.
    private var sign: String? { ["queue": "#", "feeds": "f", "episodes": "e"][parts[0]] }

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
