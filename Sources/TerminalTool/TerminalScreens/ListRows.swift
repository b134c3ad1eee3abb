internal import CommandLineTool
internal import ControlClient
internal import ControlProtocol
internal import PodcastModel
internal import Presentation

extension TableRow {
    mutating func show(_ feed: Feed, _ context: ScreenContext) {
        title = feed.distinctTitle
        isCurrent = context.model.player.feed?.id == feed.id
        hasFailed = feed.health.error != nil
        let refreshed = feed.health.lastSuccess.map { "refreshed \(context.times.time($0))" } ?? "not refreshed yet"
        let tags = feed.tags.joinedText(", ")
        if style == .columns {
            subtitle = feed.problem ?? tags
            cells = [
                Cell(text: refreshed, width: 28),
                Cell(text: feed.newCount > 0 ? "\(feed.newCount) new" : "", width: 10, isAtRight: true),
                Cell(text: "\(feed.episodeCount)", width: 9, isAtRight: true),
            ]
        } else {
            detail = feed.newCount > 0 ? "\(feed.newCount) new of \(feed.episodeCount)" : "\(feed.episodeCount)"
            subtitle = feed.problem ?? refreshed + (tags.isEmpty ? "" : "  " + tags)
        }
    }

    mutating func show(_ episode: Episode, _ context: ScreenContext, showsFeed: Bool) {
        title = episode.title
        detail = episode.duration?.description ?? ""
        isStarred = episode.state.isStarred
        isDimmed = episode.state.isPlayed || episode.state.hiddenReason != nil
        isCurrent = context.model.player.episode?.id == episode.id
        download = episode.state.isDownloaded ? .onDisk : .none
        if let duration = episode.duration, duration > .zero, episode.state.hasBegun {
            progress = episode.state.position.seconds / duration.seconds
        }
        if style == .columns { return showInColumns(episode, context, showsFeed: showsFeed) }
        let texts = [
            context.times.date(episode.published), episode.part, showsFeed ? episode.feedTitle : nil,
            episode.state.note,
        ]
        subtitle = texts.compactMap(\.self).joinedText("  ")
    }

    private mutating func showInColumns(_ episode: Episode, _ context: ScreenContext, showsFeed: Bool) {
        subtitle = [episode.part, episode.state.note].compactMap(\.self).joinedText("  ")
        if showsFeed { cells.append(Cell(text: episode.feedTitle, width: min(40, context.columns / 4))) }
        cells.append(Cell(text: context.times.date(episode.published), width: 10))
        cells.append(Cell(text: detail, width: 9, isAtRight: true))
    }
}
