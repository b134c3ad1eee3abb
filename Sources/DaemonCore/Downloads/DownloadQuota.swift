internal import PodcastModel

/// The space for downloads in bytes. Downloads are never evicted, so they must not outgrow the cache or the disk.
struct DownloadQuota {
    var limit: Int64
    var used: Int64
    /// Free space on the disk, including evictable files of the cache.
    var free: Int64

    /// Why a file does not fit, and what to do; nil if it fits. `missing` bytes are not fetched yet.
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
