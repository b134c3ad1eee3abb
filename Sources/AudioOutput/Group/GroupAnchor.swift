internal import MediaPorts
internal import PodcastModel
internal import Synchronization

/// Which frame of a group is heard when: the sink thread sets it, the followers read it. Any thread, without locks.
final class GroupAnchor: Sendable {
    private static let unknown = Int64.min
    /// When frame 0 was or would have been heard, in nanoseconds.
    private let origin = Atomic(unknown)

    func set(_ number: Int64, at instant: Instant, rate: Int) {
        let begin = instant + (.zero - PacedBuffer.duration(of: number, rate: rate))
        origin.store(begin.nanoseconds, ordering: .relaxed)
    }

    func clear() { origin.store(Self.unknown, ordering: .relaxed) }

    /// When a frame is heard; nil if nothing is heard, or if that is not known yet.
    func instant(of number: Int64, rate: Int) -> Instant? {
        let origin = origin.load(ordering: .relaxed)
        guard origin != Self.unknown else { return nil }
        return Instant(nanoseconds: origin) + PacedBuffer.duration(of: number, rate: rate)
    }
}
