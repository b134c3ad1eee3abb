internal import ControlClient
internal import ControlLanguage

/// Why a synchronization failed.
struct SyncFailure: Error, Equatable {
    /// One line for people.
    var message: String
    /// Seconds.
    var retryAfter: Int?
    /// Whether the server refuses the login.
    var isRefused = false
    /// Whether the connection with the daemon here has ended.
    var isDaemonLost = false
}

extension SyncFailure {
    init(_ failure: ClientFailure) {
        switch failure {
        case .refused(let refusal): self.init(message: "podcastd refuses: \(refusal.what)")
        default: self.init(message: failure.message, isDaemonLost: true)
        }
    }
}
