internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// An account with its thread.
struct RunningAccount {
    let name: String
    let mailbox: AccountMailbox
    let thread: DedicatedThread
}

/// Passes on to the threads of the accounts what happens in the daemon. One thread.
final class SyncRunner: GatewayService {
    let connection: ControlConnection
    private let read: () throws(ToolFailure) -> SyncSettings
    private var accounts: [RunningAccount]
    private var hasSnapshot = false
    private var player: (state: PlayerState, episode: EpisodeID?)?

    let waits: [PollEntry] = []
    let deadline: Instant? = nil
    var isReady: Bool { connection.isSettled(hasSnapshot) }

    init(
        socket: String, read: @escaping () throws(ToolFailure) -> SyncSettings
    ) throws(ToolFailure) {
        connection = ControlConnection(reconnectingTo: socket)
        self.read = read
        accounts = try Self.start(read(), socket)
        connection.watch([.player, .episodes, .feeds, .queue, .playlists, .rules, .settings, .sync])
    }

    func process() {
        for event in connection.process() {
            switch event {
            case .greeted: break
            case .lost: (hasSnapshot, player) = (false, nil)
            case .snapshot(let snapshot):
                hasSnapshot = true
                if let value = snapshot.parts[.player] { follow(PlayerReply(json: value)) }
                post(.connected)
                if let value = snapshot.parts[.sync] { follow(SyncStatusReply(json: value)) }
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
        for account in accounts {
            account.mailbox.post(.ordered(status.orders.filter { $0.account == account.name }))
        }
    }

    private func post(_ event: AccountSchedule.Event) { for account in accounts { account.mailbox.post(event) } }

    /// An invalid file changes nothing.
    func reload() -> Bool {
        do throws(ToolFailure) {
            let settings = try read()
            // An account belongs to one connection at a time.
            stop()
            accounts = try Self.start(settings, connection.path)
            if hasSnapshot { post(.connected) }
        } catch { SyncProgram.log(error.message) }
        return true
    }

    private static func start(_ settings: SyncSettings, _ socket: String) throws(ToolFailure) -> [RunningAccount] {
        var running: [RunningAccount] = []
        for account in settings.accounts {
            let mailbox = AccountMailbox()
            let thread = try ToolFailure.wrapping(.software) {
                try DedicatedThread(name: .sync) {
                    do throws(HTTPError) {
                        try AccountWorker(account, settings, socket: socket, mailbox: mailbox).run()
                    } catch { SyncProgram.log("\(account.name): \(error.message)") }
                }
            }
            running.append(RunningAccount(name: account.name, mailbox: mailbox, thread: thread))
        }
        return running
    }

    func stop() {
        for account in accounts { account.mailbox.stop() }
        for account in accounts { account.thread.join() }
    }
}
