internal import PodcastModel
internal import SQLite

/// Limits of what other devices can add; further changes are refused.
enum ChangeLimits {
    /// A clock that is further ahead is broken: later changes of other devices would lose for that long. In milliseconds.
    fileprivate static let lead: Int64 = 7 * 86_400_000
    static let feeds = 20_000
    static let files = 10_000
    /// Entries of one episode in the queue.
    static let copies = 100
    /// Imported episodes that no refresh has found yet.
    fileprivate static let waiting = 200_000
    /// Removals of what was never here.
    fileprivate static let removals = 200_000
    fileprivate static let identityBytes = 8 << 10
    fileprivate static let deviceBytes = 200
    /// Bytes of a whole change, and of what is stored before it is known here.
    fileprivate static let bytes = 450_000
    fileprivate static let unknownBytes = 2_000
}

extension LibraryChange {
    /// Why a change cannot be applied, whatever the library has; nil if it can.
    func objection(at now: Timestamp) -> String? {
        let form = subject.kind.form
        let name = subject.kind.rawValue
        if !isComplete { return "a change of the kind \(name) is not complete" }
        if device.utf8.count > ChangeLimits.deviceBytes { return "the name of a device is too long" }
        if time.milliseconds > now.milliseconds + ChangeLimits.lead {
            return "\(device) has a clock that is more than a week ahead"
        }
        if [subject.episode?.guid, subject.episode?.url].contains(where: {
            $0?.utf8.count ?? 0 > ChangeLimits.identityBytes
        }) {
            return "an episode's GUID or address is too long"
        }
        if subject.kind == .subscription, let url = subject.feed, !WebAddress.isFetchable(url) {
            return "\(url) is not the address of a feed"
        }
        switch form.name {
        case .none, .text: break
        case .number(let range), .numberInList(let range):
            if subject.number.map(range.contains) != true { return "the number of a \(name) is out of range" }
        }
        if let list = subject.list, !Playlist.isName(list) { return "the name of a playlist is not valid" }
        if let text = value?.text, text.utf8.count > form.textBytes ?? 0 { return "the text of a \(name) is too long" }
        return textBytes > ChangeLimits.bytes ? "the texts of a change are too long" : nil
    }
}

extension ChangeMerge {
    /// Counts a removal of what was never here. Its row is needed in case that a third library adds it.
    func countRemoval(_ change: LibraryChange) throws {
        let count: Int? = try connection.value("SELECT removals FROM change_log")
        if count ?? 0 >= ChangeLimits.removals || change.textBytes > ChangeLimits.unknownBytes {
            throw LibraryError.refused("too much is removed that was never here")
        }
        try run("UPDATE change_log SET removals = removals + 1")
    }

    /// Counts one more episode that waits for a refresh.
    mutating func countWaiting(_ episode: EpisodeIdentity) throws {
        let count = try waiting ?? connection.value("SELECT count(*) FROM imported_episode") ?? 0
        let bytes = [episode.guid, episode.url, episode.title].reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        if count >= ChangeLimits.waiting || bytes > ChangeLimits.unknownBytes {
            throw LibraryError.refused("\(count) episodes wait for a refresh of their feed")
        }
        waiting = count + 1
    }
}
