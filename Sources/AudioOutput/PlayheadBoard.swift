internal import MediaPorts
internal import PodcastModel
internal import Synchronization

/// Publishes the playhead from the sink thread to any thread, without locks: a seqlock.
///
/// The sequence number is odd while values change. Each value is stored with release order after the number became odd, and
/// loaded with acquire order before the number is read again, so a reader that saw a new value also sees the odd number.
final class PlayheadBoard: Sendable {
    private let number = Atomic<UInt32>(0)
    /// Generation, position, instant, speed, omitted time and number of turns; then delay, position and speed of each turn.
    private let words = InlineArray<30, Atomic<Int64>> { _ in Atomic(0) }

    /// Publishes a playhead; one thread at a time.
    func show(_ playhead: Playhead) {
        let before = number.load(ordering: .relaxed)
        number.store(before &+ 1, ordering: .relaxed)
        store(Int64(playhead.generation), 0)
        store(playhead.position.nanoseconds, 1)
        store(playhead.instant.nanoseconds, 2)
        store(Int64(bitPattern: playhead.speed.bitPattern), 3)
        store(playhead.omitted.nanoseconds, 4)
        store(Int64(playhead.turns.count), 5)
        for index in 0..<playhead.turns.count {
            let turn = playhead.turns[index]
            store(turn.delay, 6 + index * 3)
            store(turn.position.nanoseconds, 7 + index * 3)
            store(Int64(bitPattern: turn.speed.bitPattern), 8 + index * 3)
        }
        number.store(before &+ 2, ordering: .releasing)
    }

    /// The playhead published last; any thread.
    var playhead: Playhead {
        while true {
            let before = number.load(ordering: .acquiring)
            var playhead = Playhead(
                generation: UInt32(truncatingIfNeeded: load(0)), position: MediaTime(nanoseconds: load(1)),
                instant: Instant(nanoseconds: load(2)), speed: speed(3))
            playhead.omitted = MediaTime(nanoseconds: load(4))
            for index in 0..<min(Int(load(5)), PlayheadTurns.capacity) {
                let place = 6 + index * 3
                playhead.turns.append(
                    PlayheadTurns.Turn(
                        delay: load(place), position: MediaTime(nanoseconds: load(place + 1)), speed: speed(place + 2)))
            }
            if before % 2 == 0, number.load(ordering: .relaxed) == before { return playhead }
        }
    }

    private func store(_ word: Int64, _ index: Int) { words[index].store(word, ordering: .releasing) }
    private func load(_ index: Int) -> Int64 { words[index].load(ordering: .acquiring) }
    private func speed(_ index: Int) -> Double { Double(bitPattern: UInt64(bitPattern: load(index))) }
}
