internal import PodcastModel

/// The space for downloads. They are never evicted, so they must not outgrow the cache or the disk. All figures in bytes.
struct DownloadQuota {
    /// What the cache may use.
    var limit: Int64
    /// What other downloads use.
    var used: Int64
    /// What is free on the disk, including what the cache can evict.
    var free: Int64

    /// Why a file does not fit, and what to do; nil if it does.
    ///
    /// - Parameters:
    ///   - length: the file's size.
    ///   - missing: how much of it is not fetched yet.
    func refusal(of length: Int64, missing: Int64) -> String? {
        if length > limit - used {
            return "it has \(ByteSize.neededText(length)), and kept episodes take \(ByteSize.text(used)) of the "
                + "\(ByteSize.text(limit)) of cache.size: delete some ('podcastctl episodes --downloaded'), or raise it "
                + "('podcastctl settings cache.size SIZE')"
        }
        if missing > free {
            return "\(ByteSize.neededText(missing)) are still to come, and only \(ByteSize.text(free)) are free on the "
                + "disk of the episode cache: make room there"
        }
        return nil
    }
}
