internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// What an account's thread learns from others. Any thread.
final class AccountMailbox: Sendable {
    private struct State {
        var events: [AccountSchedule.Event] = []
        var waker: HTTPWaker?
        var isStopped = false
    }

    private let state = Mutex(State())

    var isStopped: Bool { state.withLock(\.isStopped) }

    func post(_ event: AccountSchedule.Event) {
        state.withLock {
            if $0.events.last != event { $0.events.append(event) }
            $0.waker?.wake()
        }
    }

    func stop() {
        state.withLock {
            $0.isStopped = true
            $0.waker?.wake()
        }
    }

    func wake(_ waker: HTTPWaker) { state.withLock { $0.waker = waker } }
    func take() -> [AccountSchedule.Event] { state.withLock { exchange(&$0.events, with: []) } }
}

/// Synchronizes one account again and again. Its own thread, which waits for the server, the daemon and the time.
final class AccountWorker {
    private static let day = Duration.seconds(86_400)

    private let server: SyncServer
    private let socket: String
    private let mailbox: AccountMailbox
    private var schedule: AccountSchedule
    private var daemon: ControlConnection?
    private var account = SyncAccount()
    private var known = KnownChanges()
    private var nextWide = Instant.distantPast
    /// Whether more than positions may have changed here or there.
    private var isStateDue = true
    /// The library's revision of the account before this synchronization.
    private var startRevision: Int64 = 0
    /// Where the shared state of the last synchronization is kept; nil for other servers than podcastd.
    private let baseFile: String?
    private let events: ServerEvents
    private let log: (String) -> Void

    init(
        _ settings: AccountSettings, password: String, device: String, socket: String, interval: Duration,
        folder: String, mailbox: AccountMailbox, log: @escaping (String) -> Void
    ) throws(HTTPError) {
        let http = try HTTPMulti()
        server = SyncServer(settings, password: password, device: device, http) { mailbox.isStopped }
        (self.socket, self.mailbox, self.log) = (socket, mailbox, log)
        schedule = AccountSchedule(interval: interval, isQuick: settings.kind == .podcastd)
        (account.name, account.server) = (settings.name, "\(settings.user) at \(settings.address)")
        baseFile = settings.kind == .podcastd ? "\(folder)/sync-\(WebAddress.percentEncoded(settings.name)).json" : nil
        events = ServerEvents { mailbox.post(.changedThere) }
        mailbox.wake(http.waker)
    }

    func run() {
        while !mailbox.isStopped {
            for event in mailbox.take() {
                if event == .connected { connect() }
                if event != .changed { isStateDue = true }
                schedule.handle(event, at: .now)
            }
            switch schedule.step(at: .now) {
            case .wait: wait()
            case .synchronize(let order, let isLocal):
                let end = synchronize(order, isLocal: isLocal)
                schedule.handle(.ended(end), at: .now)
            }
        }
    }

    private func wait() {
        var due = schedule.due
        if baseFile != nil, account.state == .idle { due = min(due, events.listen(to: server) ?? due) }
        do throws(HTTPError) {
            try server.http.poll(timeout: due == .distantFuture ? nil : max(.zero, due - .now))
        } catch {
            log(error.message)
            mailbox.stop()
        }
    }

    /// Learns how far the account is synchronized.
    private func connect() {
        do throws(ClientFailure) {
            let daemon = try ControlConnection(path: socket)
            // An import waits for podcast-refresh.
            daemon.timeout = .seconds(600)
            account = try daemon.call(report(.running))
            self.daemon = daemon
        } catch { log(error.message) }
    }

    private func synchronize(_ order: AccountSchedule.Order?, isLocal: Bool) -> AccountSchedule.End {
        guard let daemon else { return .daemonLost }
        startRevision = account.ours
        var pass = SyncPass(account, daemon, server, known: known, isTrial: order?.isTrial ?? false)
        do throws(SyncPass.Failure) {
            let hasState = baseFile != nil && isStateDue
            if isLocal, !hasState, try !pass.hasChanges() { return .unchanged }
            if account.state != .running { account = try tell(.running) }
            if order?.isHandOver == true {
                try HandOverPass(daemon, server).run()
                account = try tell(.idle, order)
                return .unchanged
            }
            let isWide = nextWide <= .now
            let asks = try pass.run(isAgreed: order.map { !$0.isTrial } ?? false, isWide: isWide)
            if isWide { nextWide = .now + Self.day }
            (account, known) = (pass.account, pass.known)
            let base = try hasState && !asks ? shareState(isTrial: order?.isTrial ?? false, pass.isServerSetBack) : nil
            account = try tell(asks ? .asking : .idle, order)
            // After the account, so that a file that is newer than the library shows that the library is older than it was.
            if let base, let baseFile { try? SharedBase(revision: account.ours, rows: base).write(baseFile) }
            return asks ? .asking : .done
        } catch {
            (account, known) = (pass.account, pass.known)
            switch error {
            case .daemon(.refused(let refusal)): return failed("podcastd refuses: \(refusal.what)", nil, order)
            case .daemon(let failure):
                if !mailbox.isStopped { log(failure.message) }
                self.daemon = nil
                return .daemonLost
            case .server(let failure): return failed(failure.message, failure.retryAfter, order)
            }
        }
    }

    /// - Returns: what both have the same now.
    private func shareState(isTrial: Bool, _ isServerSetBack: Bool) throws(SyncPass.Failure) -> [SharedRow]? {
        guard let daemon, let baseFile else { return nil }
        let base = SharedBase(file: baseFile)
        let isSetBack = base.map { $0.revision > startRevision } ?? false
        isStateDue = false
        var pass = StatePass(daemon, server)
        let rows = try pass.run(
            base: base?.rows, isTrial: isTrial, older: isSetBack ? .here : isServerSetBack && base != nil ? .there : nil
        )
        account.received += pass.received
        account.sent += pass.sent
        if isTrial {
            account.message =
                (account.message ?? "") + "; would change \(pass.received) further rows here and \(pass.sent) there"
            return nil
        }
        return rows
    }

    private func failed(_ message: String, _ retryAfter: Int?, _ order: AccountSchedule.Order?) -> AccountSchedule.End {
        if mailbox.isStopped { return .done }
        if account.message != message { log("\(account.name): \(message)") }
        account.message = message
        do throws(SyncPass.Failure) { account = try tell(.failed, order) } catch { return .daemonLost }
        return .failed(retryAfter: retryAfter)
    }

    private func tell(_ state: SyncAccount.State, _ order: AccountSchedule.Order? = nil) throws(SyncPass.Failure)
        -> SyncAccount
    {
        guard let daemon else { return account }
        do throws(ClientFailure) { return try daemon.call(report(state, order)) } catch { throw .daemon(error) }
    }

    private func report(_ state: SyncAccount.State, _ order: AccountSchedule.Order? = nil) -> ReportAccount {
        account.state = state
        return ReportAccount { [account] in ($0.account, $0.order) = (account, order?.number) }
    }
}
