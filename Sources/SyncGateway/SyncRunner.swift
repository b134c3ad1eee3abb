internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import PodcastModel
internal import SystemCalls

/// Passes on to the threads of the accounts what happens in the daemon. One thread.
final class SyncRunner: GatewayService {
    let connection: ControlConnection
    /// With the names of their accounts.
    private let mailboxes: [(name: String, mailbox: AccountMailbox)]
    private let threads: [DedicatedThread]
    private var hasSnapshot = false
    /// Nil before the first snapshot: older orders are done or forgotten.
    private var order: Int?
    private var player: (state: PlayerState, episode: EpisodeID?)?

    let waits: [PollEntry] = []
    let deadline: Instant? = nil
    var isReady: Bool { connection.isSettled(hasSnapshot) }

    init(
        connection: ControlConnection, mailboxes: [(name: String, mailbox: AccountMailbox)], threads: [DedicatedThread]
    ) {
        (self.connection, self.mailboxes, self.threads) = (connection, mailboxes, threads)
        connection.watch([.player, .episodes, .feeds, .queue, .playlists, .rules, .settings, .sync])
    }

    func process() {
        for event in connection.process() {
            switch event {
            case .greeted: break
            case .lost: (hasSnapshot, order, player) = (false, nil, nil)
            case .snapshot(let snapshot):
                hasSnapshot = true
                if let value = snapshot.parts[.player] { follow(PlayerReply(json: value)) }
                if let value = snapshot.parts[.sync] { follow(SyncStatusReply(json: value)) }
                post(.connected)
            case .changed(let change):
                switch change.part {
                case .player: follow(PlayerReply(json: change.value))
                case .sync: follow(SyncStatusReply(json: change.value))
                case _: post(isProgress(change) ? .changed : .acted)
                }
            }
        }
    }

    /// Whether a change is the position of the episode that plays.
    private func isProgress(_ change: EventReply) -> Bool {
        guard change.part == .episodes, change.needsReload != true, let playing = player?.episode else { return false }
        return change.changes.allSatisfy { $0.id == playing.rawValue && $0.aspects == [.position] }
    }

    private func follow(_ reply: PlayerReply?) {
        guard let reply else { return }
        let now = (reply.state, reply.episode?.id)
        if let player, player != now { post(.acted) }
        player = now
    }

    private func follow(_ status: SyncStatusReply?) {
        guard let status else { return }
        if let order, status.order > order {
            let order = AccountSchedule.Order(
                number: status.order, isTrial: status.isTrial, isHandOver: status.handOver != nil)
            for (name, mailbox) in mailboxes where status.handOver ?? name == name { mailbox.post(.ordered(order)) }
        }
        order = status.order
    }

    private func post(_ event: AccountSchedule.Event) { for (_, mailbox) in mailboxes { mailbox.post(event) } }

    func stop() {
        for (_, mailbox) in mailboxes { mailbox.stop() }
        for thread in threads { thread.join() }
    }
}
