internal import Configuration
internal import ControlProtocol
internal import LibraryModel

/// Whether what is kept is whole and has room.
enum StorageChecks {
    /// Whether the library's file is whole.
    ///
    /// - Parameter fault: opens and reads the library; the first fault that it finds.
    static func library(path: String, fault: () throws(LibraryError) -> String?) -> CheckReply {
        let name = "library"
        do throws(LibraryError) {
            guard let fault = try fault() else { return .ok(name, "\(path) is whole") }
            return .needsPerson(name, "\(path) is damaged: \(fault)", fix: "restore a backup from its folder")
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
