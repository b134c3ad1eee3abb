internal import PodcastModel

/// The room for files that are kept: they never go by themselves, so they must not outgrow the cache or the disk.
struct DownloadRoom {
    /// Bytes that the cache may take.
    var limit: Int64
    /// Bytes of other files that are kept.
    var kept: Int64
    /// Bytes that are free on the disk, with those that the cache can give back.
    var free: Int64

    /// Why a file does not fit, and what to do; nil when it does.
    ///
    /// - Parameters:
    ///   - length: its bytes.
    ///   - missing: those that are still to come.
    func refusal(of length: Int64, missing: Int64) -> String? {
        if length > limit - kept {
            return "it has \(ByteSize.text(length)), and kept episodes take \(ByteSize.text(kept)) of the "
                + "\(ByteSize.text(limit)) of cache.size: delete some ('podcastctl episodes --downloaded'), or raise it "
                + "('podcastctl settings cache.size SIZE')"
        }
        if missing > free {
            return "\(ByteSize.text(missing)) are still to come, and only \(ByteSize.text(free)) are free on the "
                + "disk of the episode cache: make room there"
        }
        return nil
    }
}
