internal import Configuration
internal import ControlProtocol
internal import Library
internal import LibraryModel

/// Whether what is kept is whole and has room.
enum StorageChecks {
    /// Whether the library is whole, and still the one that the daemon has open.
    ///
    /// - Parameters:
    ///   - path: its path.
    ///   - opened: the file that the daemon opened.
    ///   - restart: the command that restarts the daemon.
    ///   - look: checks the library.
    static func library(
        path: String, opened: LibraryFile?, restart: String, look: () throws(LibraryError) -> [CheckResult]
    ) -> CheckReply {
        let name = "library"
        let present = LibraryFile(at: path)
        if let opened, present != opened {
            let finding = present == nil ? "\(path) was removed" : "another file was put at \(path)"
            let copies = BackupFolder(beside: path).all().last.map { ", for example \($0)," } ?? ""
            return .needsPerson(
                name, "\(finding) while podcastd has the old one open: what you change now is lost when podcastd ends",
                fix: present == nil
                    ? "put a library back\(copies) and \(restart)"
                    : "to use the library that is there now, \(restart); stop podcastd before you replace its library")
        }
        do throws(LibraryError) {
            let damage = try look().filter { $0.outcome == .damaged }
            guard let first = damage.first else { return .ok(name, "\(path) is whole") }
            let more = damage.count > 1 ? ", and \(damage.count - 1) more" : ""
            return .needsPerson(
                name, "\(path) is damaged: \(first.name): \(first.detail)\(more)",
                fix: "stop podcastd, then run 'podcastd check --repair', which keeps a backup")
        } catch {
            let told = ControlError(reporting: error)
            return .needsPerson(name, told.what, fix: told.hint ?? "see podcastd's messages: journalctl -u podcastd -e")
        }
    }

    /// Whether the cache keeps its limit, and can grow up to it.
    static func cache(folder: String, usage: Int64, limit: Int64, free: Int64?) -> CheckReply {
        let name = "cache"
        let finding = "\(SpaceCheck.size(usage)) of \(SpaceCheck.size(limit)) in \(folder)"
        // An episode that plays, and pinned ones, may be above the limit; a third more is none of these.
        if usage > limit + limit / 3 {
            return .notice(
                name, "\(finding): more than its limit", fix: "raise it: podcastctl settings cache.size SIZE")
        }
        if let free, limit - usage > free {
            return .notice(
                name, "\(finding), but only \(SpaceCheck.size(free)) are free for the rest",
                fix: "make room, or lower it: podcastctl settings cache.size \(max(16, (usage + free / 2) >> 20))M")
        }
        return .ok(name, finding)
    }

    /// Whether settings wait for the next start.
    static func settings(_ values: SettingsService.Values, restart: String) -> CheckReply {
        let waiting = SettingTable.all.filter { values.active($0) != values.settings[$0.key] }.map(\.key)
        guard !waiting.isEmpty else { return .ok("settings", "all are in force") }
        return .notice("settings", "\(waiting.joined(separator: ", ")): changed since podcastd started", fix: restart)
    }
}
