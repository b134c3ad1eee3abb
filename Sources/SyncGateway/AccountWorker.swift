internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import JSON
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
    /// What another podcastd and this one had the same the last time. The library keeps it, so that it goes back with the library when
    /// that is restored.
    private var base: [SharedRow] = []
    private let events: ServerEvents
    private let log: (String) -> Void

    init(
        _ settings: AccountSettings, password: String, device: String, socket: String, interval: Duration,
        mailbox: AccountMailbox, log: @escaping (String) -> Void
    ) throws(HTTPError) {
        let http = try HTTPMulti()
        server = SyncServer(settings, password: password, device: device, http) { mailbox.isStopped }
        (self.socket, self.mailbox, self.log) = (socket, mailbox, log)
        schedule = AccountSchedule(interval: interval, isQuick: settings.kind == .podcastd)
        (account.name, account.server) = (settings.name, "\(settings.user) at \(settings.address)")
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
        if server.account.kind == .podcastd, account.state == .idle { due = min(due, events.listen(to: server) ?? due) }
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
            // The library says how far it is: it may have been replaced by an older one.
            (account.theirs, account.ours, known) = (0, 0, KnownChanges())
            account = try daemon.call(report(.running))
            let rows = (try? JSONValue(parsing: account.base))?.arrayValue ?? []
            (base, account.base) = (rows.compactMap(SharedRow.init(json:)), "")
            self.daemon = daemon
        } catch { log(error.message) }
    }

    private func synchronize(_ order: AccountSchedule.Order?, isLocal: Bool) -> AccountSchedule.End {
        guard let daemon else { return .daemonLost }
        var pass = SyncPass(account, daemon, server, known: known, isTrial: order?.isTrial ?? false)
        let before = (account.received, account.sent)
        do throws(SyncFailure) {
            let hasState = server.account.kind == .podcastd && isStateDue
            if isLocal, !hasState, try !pass.hasChanges() { return .unchanged }
            if let order, order.isHandOver { return try handOver(daemon, order) }
            if account.state != .running { account = try tell(.running) }
            let isWide = nextWide <= .now
            let asks = try pass.run(isAgreed: order.map { !$0.isTrial } ?? false, isWide: isWide)
            if isWide { nextWide = .now + Self.day }
            (account, known) = (pass.account, pass.known)
            if hasState, !asks { try shareState(daemon, isTrial: order?.isTrial ?? false, pass.isServerSetBack) }
            if account.received + account.sent == 0 { (account.received, account.sent) = before }
            account = try tell(asks ? .asking : .idle, order)
            return asks ? .asking : .done
        } catch {
            (account, known) = (pass.account, pass.known)
            (account.received, account.sent) = before
            return failed(error, order)
        }
    }

    /// Afterwards the account's state is as before, unless the server can be reached again: a hand-over that fails says nothing about
    /// synchronization.
    private func handOver(
        _ daemon: ControlConnection, _ order: AccountSchedule.Order
    ) throws(SyncFailure) -> AccountSchedule.End {
        let before = account
        if account.state != .running { account = try tell(.running) }
        var isWell = [.failed, .refused].contains(before.state)
        do throws(SyncFailure) { try HandOverPass(daemon, server).run() } catch let error where !error.isDaemonLost {
            (isWell, account.message) = (false, error.message)
            account = try tell(.failed, order)
        }
        account.message = isWell ? nil : before.message
        account = try tell(isWell ? .idle : before.state, order)
        // Acts that were done while the server was away are sent at once.
        if isWell { mailbox.post(.connected) }
        return .unchanged
    }

    private func shareState(_ daemon: ControlConnection, isTrial: Bool, _ isServerSetBack: Bool) throws(SyncFailure) {
        isStateDue = isTrial
        var pass = StatePass(daemon, server)
        let rows = try pass.run(base: base, isTrial: isTrial, isServerSetBack: isServerSetBack && !base.isEmpty)
        account.received += pass.received
        account.sent += pass.sent
        if isTrial {
            let further = "; would change \(pass.received) further rows here and \(pass.sent) there"
            account.message = (account.message ?? "") + further
        } else if rows != base {
            base = rows
            let text = JSONValue.array(rows.map(\.json)).text
            // Without a base nothing is lost, but what was removed on one side comes back from the other.
            account.base = text.utf8.count <= ReportAccount.longestBase ? text : "[]"
        }
    }

    private func failed(_ failure: SyncFailure, _ order: AccountSchedule.Order?) -> AccountSchedule.End {
        if mailbox.isStopped { return .done }
        if failure.isDaemonLost {
            log(failure.message)
            daemon = nil
            return .daemonLost
        }
        if account.message != failure.message { log("\(account.name): \(failure.message)") }
        account.message = failure.message
        do throws(SyncFailure) { account = try tell(failure.isRefused ? .refused : .failed, order) } catch {
            return .daemonLost
        }
        return .failed(retryAfter: failure.retryAfter)
    }

    private func tell(
        _ state: SyncAccount.State, _ order: AccountSchedule.Order? = nil
    ) throws(SyncFailure) -> SyncAccount {
        guard let daemon else { return account }
        return try daemon.answer(report(state, order))
    }

    private func report(_ state: SyncAccount.State, _ order: AccountSchedule.Order? = nil) -> ReportAccount {
        account.state = state
        defer { account.base = "" }
        return ReportAccount { [account] in ($0.account, $0.order) = (account, order?.number) }
    }
}
