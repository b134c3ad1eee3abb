internal import ControlClient
internal import ControlLanguage

/// Why a synchronization failed.
struct SyncFailure: Error, Equatable {
    enum Kind: Equatable {
        /// The server does not answer, or not as it should.
        case failed
        /// The server refuses the login.
        case refused
        /// The connection with the daemon here has ended.
        case daemonLost
        /// podcast-sync ends.
        case stopped
    }

    /// One line for people.
    var message: String
    /// Seconds.
    var retryAfter: Int?
    var kind = Kind.failed
}

extension SyncFailure {
    init(_ failure: ClientFailure) {
        switch failure {
        case .refused(let refusal): self.init(message: "podcastd refuses: \(refusal.what)")
        default: self.init(message: failure.message, kind: .daemonLost)
        }
    }
}
