internal import CommandLineTool
internal import ControlClient
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import TableUI

extension TableRow {
    /// A feed as the list of feeds shows it.
    mutating func show(_ feed: Feed, _ context: ScreenContext) {
        title = feed.distinctTitle
        isCurrent = context.model.player.feed?.id == feed.id
        hasFailed = feed.health.error != nil
        let refreshed = feed.health.lastSuccess.map { "refreshed \(context.times.time($0))" } ?? "not refreshed yet"
        let tags = feed.tags.joined(separator: ", ")
        if style == .columns {
            subtitle = feed.problem ?? tags
            cells = [
                Cell(refreshed, width: 28),
                Cell(feed.newCount > 0 ? "\(feed.newCount) new" : "", width: 10, isAtRight: true),
                Cell("\(feed.episodeCount)", width: 9, isAtRight: true),
            ]
        } else {
            detail = feed.newCount > 0 ? "\(feed.newCount) new of \(feed.episodeCount)" : "\(feed.episodeCount)"
            subtitle = feed.problem ?? refreshed + (tags.isEmpty ? "" : "  " + tags)
        }
    }
}
