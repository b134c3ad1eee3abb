internal import Activity
internal import MediaPorts
internal import PodcastModel

/// One episode on its way to the disk, and what its source's news mean.
struct DownloadFetch {
    /// What is to be done after news.
    enum Step: Equatable {
        /// The length is known for the first time: is there room for it?
        case checkRoom(length: Int64, missing: Int64)
        /// Have the bytes from here on fetched.
        case want(from: Int64)
        /// All is there.
        case finish
        /// Let others go on.
        case giveUp(MediaFailure)
    }

    /// Tries of one connection after which others get their turn.
    private static let mostAttempts = 3

    let episode: EpisodeID
    let url: String
    let title: String
    let source: any ByteSource
    let activity: ActivityHandle
    var hasRoom = false

    /// How far it is, 0 to 1; nil while the length is not known.
    static func progress(_ snapshot: ByteSourceSnapshot) -> Double? {
        guard let length = snapshot.length, length > 0 else { return nil }
        return Double(atHand(snapshot)) / Double(length)
    }

    /// What a snapshot asks for.
    func step(_ snapshot: ByteSourceSnapshot) -> Step {
        if let shortage = snapshot.shortage { return .giveUp(MediaFailure(.storage, shortage)) }
        switch snapshot.phase {
        case .failed(let failure): return .giveUp(failure)
        case .waitingToRetry(let attempt, _, let reason) where attempt >= Self.mostAttempts:
            return .giveUp(MediaFailure(.network, reason))
        case .idle, .connecting, .receiving, .waitingToRetry, .complete: break
        }
        let end = snapshot.end(ofAvailableFrom: 0)
        guard let length = snapshot.length else { return .want(from: end) }
        // Once the source is done with it, its index is on the way to the disk too.
        if end >= length { return snapshot.phase == .complete ? .finish : .want(from: end) }
        return hasRoom ? .want(from: end) : .checkRoom(length: length, missing: length - Self.atHand(snapshot))
    }

    private static func atHand(_ snapshot: ByteSourceSnapshot) -> Int64 {
        snapshot.available.reduce(0) { $0 + $1.upperBound - $1.lowerBound }
    }
}
