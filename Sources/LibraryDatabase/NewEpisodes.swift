/// Counts new episodes by date, without reading other episodes.
public enum NewEpisodes {
    /// The number of new episodes of the feed `f`; must match `EpisodeState.isNew`.
    public static let count = """
        ((SELECT count(*) FROM episode e INDEXED BY episode_feed
          WHERE e.feed = f.id AND e.section IN (\(Section.new.rawValue), \(Section.inProgress.rawValue))
            AND e.published > iif(e.dated, f.subscribed, f.subscribed + 86400000)
            AND e.visibility = \(Visibility.visible.rawValue)
            AND e.id <= f.last_episode)
        + (SELECT count(*) FROM episode e INDEXED BY episode_feed
          WHERE e.feed = f.id AND e.section IN (\(Section.new.rawValue), \(Section.inProgress.rawValue))
            AND e.visibility = \(Visibility.visible.rawValue) AND e.id <= f.last_episode
            AND e.published = max(\(newestWhenSubscribed(.new)), \(newestWhenSubscribed(.inProgress)),
              \(newestWhenSubscribed(.played)))))
        """

    private static func newestWhenSubscribed(_ section: Section) -> String {
        """
        coalesce((SELECT max(n.published) FROM episode n INDEXED BY episode_feed
          WHERE n.feed = f.id AND n.section = \(section.rawValue) AND n.published <= f.subscribed), -1)
        """
    }
}
