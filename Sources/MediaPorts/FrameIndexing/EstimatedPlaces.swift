public import PodcastModel

/// Two frames that were decoded after a seek to an estimated place, with their assigned positions. With both a position
/// saved in that session leads to the same frame in a later session, independent of later knowledge of the file.
public struct EstimatedPlaces: Equatable, Sendable {
    /// Minimum between two places: more than is decoded ahead of the playhead, so that the playhead is after `former`.
    static let distance = MediaTime(seconds: 120)
    /// After `latest`, until the next place is recorded.
    private static let reach = MediaTime(seconds: 240)

    public let former: FrameIndex.Entry
    public let latest: FrameIndex.Entry

    /// The place of a seek. Later entries must have the same rate.
    public init(landing: FrameIndex.Entry) { (former, latest) = (landing, landing) }

    /// Nil if the second does not follow the first.
    init?(former: FrameIndex.Entry, latest: FrameIndex.Entry) {
        guard former.rate == latest.rate, former.key >= 0, former.key <= latest.key, former.position <= latest.position
        else { return nil }
        (self.former, self.latest) = (former, latest)
    }

    /// With a later frame; nil if the frame is still near.
    public func moved(to entry: FrameIndex.Entry) -> EstimatedPlaces? {
        guard entry.time - latest.time >= Self.distance else { return nil }
        return EstimatedPlaces(former: latest, latest: entry)
    }

    /// The place from which a time can be reached; nil for a time that was not decoded then.
    /// - Parameter runUp: the time that must be decoded before.
    public func place(before time: MediaTime, runUp: MediaTime) -> FrameIndex.Entry? {
        guard time >= former.time, time <= latest.time + Self.reach else { return nil }
        return time >= latest.time + runUp ? latest : former
    }
}
