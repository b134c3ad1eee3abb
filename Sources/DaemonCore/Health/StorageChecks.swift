internal import Library
internal import PodcastModel
internal import Reporting

enum StorageChecks {
    /// A problem if the file that the daemon has open is no longer at the library's path; nil otherwise, and if it is unknown.
    /// - Parameter restart: the command that restarts the daemon.
    static func moved(_ path: String, opened: LibraryFile?, restart: String) -> Finding? {
        let present = LibraryFile(at: path)
        guard let opened, present != opened else { return nil }
        let consequence = "while podcastd has the old one open: changes are lost when podcastd exits"
        if present != nil {
            return .problem(
                "\(path) was replaced \(consequence)",
                fix: "to use the new file, \(restart); stop podcastd before you replace its library")
        }
        let example = BackupFolder(beside: path).all().last.map { ", for example \($0)," } ?? ""
        return .problem("\(path) was removed \(consequence)", fix: "restore a library\(example) and \(restart)")
    }

    static func library(_ path: String, _ results: [Finding]) -> Finding {
        let damage = results.filter { $0.severity == .problem }
        guard let first = damage.first else { return .ok("\(path) is undamaged") }
        let more = damage.count > 1 ? ", and \(damage.count - 1) more" : ""
        return .problem(
            "\(path) is damaged: \(first.check): \(first.text)\(more)",
            fix: "stop podcastd, then run 'podcastd check --repair', which keeps a backup")
    }

    /// Whether the cache keeps its limit and can grow up to it. Sizes in bytes; `free` is nil if the system does not report it.
    static func cache(folder: String, usage: Int64, limit: Int64, free: Int64?) -> Finding {
        let finding = "\(ByteSize.text(usage)) of \(ByteSize.text(limit)) in \(folder)"
        // The episode that plays and pinned ones may exceed the limit, but not by a third.
        if usage > limit + limit / 3 {
            return .notice("\(finding): above its limit", fix: "raise the limit: podcastctl settings cache.size SIZE")
        }
        if let free, limit - usage > free {
            return .notice(
                "\(finding), but only \(ByteSize.text(free)) of disk space are free",
                fix:
                    "free disk space, or lower the limit: podcastctl settings cache.size \(max(16, (usage + free / 2) >> 20))M"
            )
        }
        return .ok(finding)
    }

    /// Episodes that should be on disk and are not, as after a backup was restored.
    static func downloads(missing: Int) -> Finding {
        if missing == 0 { return .ok("all are on disk") }
        return .notice(
            "\(counted(missing, "episode")) not on disk yet",
            fix: "podcastctl downloads shows why; podcastctl download EPISODE tries again at once")
    }

    /// - Parameters:
    ///   - waiting: the first imported episodes that were not found in their feeds.
    ///   - count: the number of all.
    static func imports(_ waiting: [(title: String, feed: String)], of count: Int) -> Finding {
        if waiting.isEmpty { return .ok("no imported episode is missing") }
        let names = waiting.map { "'\($0.title)' of \($0.feed)" }.joined(separator: ", ")
        let more = count > waiting.count ? ", and \(count - waiting.count) more" : ""
        return .ok("not in their feeds so far: \(names)\(more); what was imported waits for them")
    }

    /// The newest backup, with its age in days. `interval` is the number of days between automatic backups; nil for none.
    static func backup(latest: (path: String, days: Int)?, interval: Int?) -> Finding {
        let off = interval == nil ? "; automatic backups are off (library.backup_every)" : ""
        guard let latest else {
            return .ok("none yet" + (off.isEmpty ? "; podcastd writes the first one by itself" : off))
        }
        let age = latest.days == 0 ? "today" : latest.days == 1 ? "yesterday" : "\(latest.days) days ago"
        let finding = "last one written \(age): \(latest.path)"
        if let interval, latest.days > 2 * interval {
            return .notice("\(finding), although one is due every \(interval) days", fix: "podcastctl backup")
        }
        return .ok(finding + off)
    }

    /// Whether the config file can be applied, and no setting (`waiting`) needs a restart. `restart` and `reload` are commands.
    static func settings(
        waiting: [String], ignored: [String] = [], restart: String, problem: String? = nil, reload: String = ""
    ) -> Finding {
        if let problem {
            return .problem("\(problem); the settings from before are in effect", fix: "correct it, then \(reload)")
        }
        let change = waiting.isEmpty ? [] : ["\(waiting.joinedText(", ")): changed since podcastd started"]
        let text = (ignored + change).joinedText("; ")
        if text.isEmpty { return .ok("no restart pending") }
        if ignored.isEmpty { return .notice(text, fix: restart) }
        let lines = ignored.count == 1 ? "this line" : "these lines"
        return .notice(text, fix: "correct or remove \(lines), then \(waiting.isEmpty ? reload : restart)")
    }
}
