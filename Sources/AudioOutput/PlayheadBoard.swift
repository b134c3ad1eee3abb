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
    private let omitted = Atomic<Int64>(0)
    private let turnCount = Atomic<Int>(0)
    /// Delay, position and speed of each turn.
    private let turns = InlineArray<24, Atomic<Int64>> { _ in Atomic(0) }

    /// Publishes a playhead; one thread at a time.
    func show(_ playhead: Playhead) {
        let before = number.load(ordering: .relaxed)
        number.store(before &+ 1, ordering: .relaxed)
        generation.store(playhead.generation, ordering: .releasing)
        position.store(playhead.position.nanoseconds, ordering: .releasing)
        instant.store(playhead.instant.nanoseconds, ordering: .releasing)
        speed.store(playhead.speed.bitPattern, ordering: .releasing)
        omitted.store(playhead.omitted.nanoseconds, ordering: .releasing)
        turnCount.store(playhead.turns.count, ordering: .releasing)
        for index in 0..<playhead.turns.count {
            let turn = playhead.turns[index]
            turns[index * 3].store(turn.delay, ordering: .releasing)
            turns[index * 3 + 1].store(turn.position.nanoseconds, ordering: .releasing)
            turns[index * 3 + 2].store(Int64(bitPattern: turn.speed.bitPattern), ordering: .releasing)
        }
        number.store(before &+ 2, ordering: .releasing)
    }

    private var currentTurns: PlayheadTurns {
        var found = PlayheadTurns()
        for index in 0..<min(turnCount.load(ordering: .acquiring), PlayheadTurns.capacity) {
            let speed = turns[index * 3 + 2].load(ordering: .acquiring)
            found.append(
                PlayheadTurns.Turn(
                    delay: turns[index * 3].load(ordering: .acquiring),
                    position: MediaTime(nanoseconds: turns[index * 3 + 1].load(ordering: .acquiring)),
                    speed: Double(bitPattern: UInt64(bitPattern: speed))))
        }
        return found
    }

    /// The playhead published last; any thread.
    var playhead: Playhead {
        while true {
            let before = number.load(ordering: .acquiring)
            var playhead = Playhead(
                generation: generation.load(ordering: .acquiring),
                position: MediaTime(nanoseconds: position.load(ordering: .acquiring)),
                instant: Instant(nanoseconds: instant.load(ordering: .acquiring)),
                speed: Double(bitPattern: speed.load(ordering: .acquiring)))
            playhead.omitted = MediaTime(nanoseconds: omitted.load(ordering: .acquiring))
            playhead.turns = currentTurns
            if before % 2 == 0, number.load(ordering: .relaxed) == before { return playhead }
        }
    }
}
