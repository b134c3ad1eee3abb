public import PodcastModel
internal import SQLite

/// Synchronization with other devices of the user.
public struct SyncStore: LibraryPart {
    let library: LibraryStore

    /// Sets an episode's position, unless the episode was played or marked after `time`.
    ///
    /// Repeated reports of a device on one episode are one undo step. The history keeps the position before the first report.
    /// - Parameters:
    ///   - isPlayed: whether the episode was heard to its end.
    ///   - device: nil for what was set here.
    ///   - time: time of playback; nil for now, which always wins.
    /// - Returns: whether the episode was changed.
    public func setPosition(
        _ position: MediaTime, isPlayed: Bool, of id: EpisodeID, device: String?, heard time: Timestamp?,
        at now: Timestamp
    ) throws(LibraryError) -> Bool {
        let value = LibraryChange.Value(position: isPlayed ? .zero : position, isPlayed: isPlayed)
        let heard = time.map { min($0, now) } ?? now
        let change = LibraryChange(.init(.playback), value, at: heard, in: device ?? "")
        return try write(device == nil ? .synced : .relaxed) {
            let step = try device.flatMap { try library.history.report(of: $0, on: id, at: now) }
            return try library.history.recording(
                device == nil ? .seek : .synced, title: device, at: now, continuing: step
            ) {
                // Do not compare times of what was set here: the clock of another library may be ahead.
                let subject = ChangedSubject(.playback, owner: id.rawValue)
                if time != nil,
                    try !change.isLater(than: library.changes.row(of: subject), library.changes.value(of: subject))
                {
                    return false
                }
                try library.imports.replacePlayback(of: id, with: PortableEpisode(change, at: now))
                if let device { try library.changes.log(subject, at: heard, in: device) }
                return true
            }
        }
    }
}
