internal import MediaPorts
internal import PodcastModel
internal import Synchronization

/// Publishes the playhead from the sink thread to any thread, without locks: a seqlock.
///
/// The sequence number is odd while values change. Each value is stored with release order after the number became odd,
/// and loaded with acquire order before the number is read again, so a reader that saw a new value also sees the odd
/// number.
final class PlayheadBoard: Sendable {
    private let number = Atomic<UInt32>(0)
    private let generation = Atomic<UInt32>(0)
    private let position = Atomic<Int64>(0)
    private let instant = Atomic<Int64>(0)
    private let speed = Atomic<UInt64>(0)

    /// Publishes a playhead; one thread at a time.
    func show(_ playhead: Playhead) {
        let before = number.load(ordering: .relaxed)
        number.store(before &+ 1, ordering: .relaxed)
        generation.store(playhead.generation, ordering: .releasing)
        position.store(playhead.position.nanoseconds, ordering: .releasing)
        instant.store(playhead.instant.nanoseconds, ordering: .releasing)
        speed.store(playhead.speed.bitPattern, ordering: .releasing)
        number.store(before &+ 2, ordering: .releasing)
    }

    /// The playhead published last; any thread.
    var playhead: Playhead {
        while true {
            let before = number.load(ordering: .acquiring)
            let playhead = Playhead(
                generation: generation.load(ordering: .acquiring),
                position: MediaTime(nanoseconds: position.load(ordering: .acquiring)),
                instant: Instant(nanoseconds: instant.load(ordering: .acquiring)),
                speed: Double(bitPattern: speed.load(ordering: .acquiring)))
            if before % 2 == 0, number.load(ordering: .relaxed) == before { return playhead }
        }
    }
}
