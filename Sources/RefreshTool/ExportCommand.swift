internal import CommandLineTool
internal import LibraryModel
internal import OPML
internal import PodcastModel

extension RefreshCommands {
    /// `podcast-refresh export`.
    func exportFeeds(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let session = try LibrarySession(readSettings(arguments).folder)
        let feeds = try session.perform { (store) throws(LibraryError) in try store.feeds() }
        let document = OPMLDocument(
            title: "podcastd subscriptions",
            subscriptions: feeds.map { Subscription(url: $0.url, title: $0.title, htmlURL: $0.link) })
        try output.write(OPMLWriter.text(of: document))
        return .success
    }
}
