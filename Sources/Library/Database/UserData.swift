/// SQL about what a user has done with `episode e`.
public enum UserData {
    private static let isMarked = """
        (e.starred = 1 OR EXISTS (SELECT 1 FROM note n WHERE n.episode = e.id)
          OR EXISTS (SELECT 1 FROM bookmark b WHERE b.episode = e.id))
        """
    /// Starred, noted, bookmarked or queued: rules never hide the episode.
    static let isKept = "(\(isMarked) OR EXISTS (SELECT 1 FROM queue_entry q WHERE q.episode = e.id))"
    /// Kept or in progress: the episode is never hidden.
    public static let isHeld = "(\(isKept) OR e.section = \(Section.inProgress.rawValue))"
    /// Starred, noted, bookmarked, played, marked or downloaded.
    static let isUsed = """
        (\(isMarked) OR e.section <> \(Section.new.rawValue) OR e.downloaded = 1
          OR EXISTS (SELECT 1 FROM download_request w WHERE w.episode = e.id)
          OR EXISTS (SELECT 1 FROM playback p WHERE p.episode = e.id
            AND (p.position > 0 OR p.last_played IS NOT NULL OR p.marked IS NOT NULL)))
        """
}
