internal import Playback
internal import PodcastModel
internal import Synchronization

/// The files on the command line as a queue, and a library that only remembers which of them were heard to the end.
final class ArgumentLibrary: PlaybackStore, PlayQueue {
    private let inputs: [String]
    private let start: MediaTime
    private let end: MediaTime?
    private let playedEpisodes = Mutex<[EpisodeID]>([])

    init(_ inputs: [String], start: MediaTime, end: MediaTime?) {
        self.inputs = inputs
        self.start = start
        self.end = end
    }

    /// The first entry; there is always one.
    var first: QueueEntry { Self.entry(0) }

    /// The inputs that were heard to the end, in order, of those before an entry; nil for all. The current entry of a status is not among
    /// them, although that entry may have ended since the status was read.
    func played(before entry: QueueEntry?) -> [String] {
        playedEpisodes.withLock { $0 }.map { Self.index($0.rawValue) }
            .filter { $0 < entry.map { Self.index($0.id.rawValue) } ?? inputs.count }.map { inputs[$0] }
    }

    func input(of entry: QueueEntry) -> String { inputs[Self.index(entry.id.rawValue)] }

    func media(of episode: EpisodeID) async throws -> PlaybackMedia {
        let input = inputs[Self.index(episode.rawValue)]
        var media = PlaybackMedia(url: input, title: MediaOpener.title(of: input), resumePosition: start)
        media.skips = end.map { [$0..<MediaTime.distantFuture] } ?? []
        return media
    }

    func savePosition(_ position: MediaTime, of episode: EpisodeID, isHeard: Bool) async throws {}
    func follow(_ sounding: SoundingEpisode?, every interval: Duration) {}
    func finish(_ entry: QueueEntry, heard: MediaTime?) async throws {
        playedEpisodes.withLock { $0.append(entry.episode) }
    }
    /// Does nothing: files are not kept.
    func discard(_ entry: QueueEntry, isWithdrawn: Bool) async throws {}
    func forgetMeasurements(of episode: EpisodeID) async throws {}
    func setMeasuredDuration(_ duration: MediaTime, of episode: EpisodeID) async throws {}

    func currentEntry() async throws -> QueueEntry? { first }
    func entry(after entry: EntryID?) async throws -> QueueEntry? { neighbour(of: entry, by: 1) }
    func entry(before entry: EntryID?) async throws -> QueueEntry? { neighbour(of: entry, by: -1) }
    func setCurrentEntry(_ entry: QueueEntry) async throws {}

    private func neighbour(of entry: EntryID?, by step: Int) -> QueueEntry? {
        guard let entry else { return first }
        let index = Self.index(entry.rawValue) + step
        return inputs.indices.contains(index) ? Self.entry(index) : nil
    }

    // The library's ids are positive.
    private static func entry(_ index: Int) -> QueueEntry {
        QueueEntry(id: EntryID(Int64(index) + 1), episode: EpisodeID(Int64(index) + 1))
    }
    private static func index(_ number: Int64) -> Int { Int(number) - 1 }
}
