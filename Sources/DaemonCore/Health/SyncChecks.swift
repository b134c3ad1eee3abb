internal import PodcastModel
internal import Reporting

enum SyncChecks {
    /// - Parameter start: the command that starts podcast-sync.
    static func accounts(_ accounts: [SyncAccount], devices: Int, start: String) -> Finding {
        func first(_ states: SyncAccount.State...) -> SyncAccount? { accounts.first { states.contains($0.state) } }
        if let account = first(.refused, .failed) {
            return .problem("\(account.name): \(account.message ?? "failed")", fix: "then: podcastctl sync now")
        }
        if let account = first(.off) {
            return .notice("\(account.name) is not synchronized: podcast-sync does not run", fix: start)
        }
        if let account = first(.asking) {
            return .notice(
                "\(account.name) waits for your consent", fix: "podcastctl sync try, then podcastctl sync now")
        }
        return .ok("\(counted(accounts.count, "account")), \(counted(devices, "device"))")
    }
}
