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
    private let server: ServerConnection
    private let peer: any SyncPeer
    /// The peer, if it is another podcastd.
    private let podcastd: PodcastdPeer?
    private let socket: String
    private let mailbox: AccountMailbox
    private var schedule: AccountSchedule
    private var daemon: ControlConnection?
    private var account = SyncAccount()
    private let sharesQueue: Bool
    private var allowance = ServerAllowance(at: .now)
    private let events: ServerEvents
    private let log: (String) -> Void

    init(
        _ settings: AccountSettings, _ all: SyncSettings, device: String, socket: String, mailbox: AccountMailbox,
        log: @escaping (String) -> Void
    ) throws(HTTPError) {
        let http = try HTTPMulti(settings: HTTPSettings(certificateFile: all.certificateFile))
        server = ServerConnection(settings, http) { mailbox.isStopped }
        switch settings.kind {
        case .gpodder: peer = DocumentPeer.gpodder(PasswordAccount(server), device: device)
        case .nextcloud: peer = DocumentPeer.nextcloud(PasswordAccount(server), device: device)
        case .podcastd: peer = PodcastdPeer(PeerAccount(server), device: device)
        }
        podcastd = peer as? PodcastdPeer
        sharesQueue = all.sharesQueue
        self.socket = socket
        self.mailbox = mailbox
        self.log = log
        schedule = AccountSchedule(interval: all.interval, isQuick: settings.kind == .podcastd)
        account.name = settings.name
        account.server = "\(settings.user) at \(settings.address)"
        events = ServerEvents { mailbox.post(.changedThere) }
        mailbox.wake(http.waker)
    }

    func run() {
        server.reportWait = { [unowned self] what in
            account.message = what
            _ = try? tell(account.state)
        }
        while !mailbox.isStopped {
            for event in mailbox.take() {
                if event == .connected { forget() }
                schedule.handle(event, at: .now)
            }
            switch schedule.step(at: .now) {
            case .wait: wait()
            case .synchronize(let isLocal):
                let end = connect() ?? synchronize(isLocal: isLocal)
                schedule.handle(.ended(end), at: .now)
            case .carryOut(let order):
                let end = connect() ?? carryOut(order)
                schedule.handle(.ended(end), at: .now)
            }
        }
    }

    private func wait() {
        var due = schedule.due
        if let podcastd, account.state == .idle { due = min(due, events.listen(to: podcastd.account) ?? due) }
        do throws(HTTPError) {
            try server.http.poll(timeout: due == .distantFuture ? nil : max(.zero, due - .now))
        } catch {
            log(error.message)
            mailbox.stop()
        }
    }

    /// Forgets how far the account is synchronized: the library may have been replaced by an older one.
    private func forget() {
        daemon = nil
        account.serverRevision = 0
        account.sentRevision = 0
    }

    /// Connects with the daemon, unless this is done, and learns how far the account is synchronized.
    /// - Returns: why this failed.
    private func connect() -> AccountSchedule.End? {
        if daemon != nil { return nil }
        do throws(SyncFailure) {
            let daemon = try mapError(of: ControlConnection(path: socket)) { (failure: ClientFailure) in
                SyncFailure(failure)
            }
            // An import waits for podcast-refresh.
            daemon.timeout = .seconds(600)
            // Another connection may have the account until it ends.
            account = try daemon.answer(report(.running))
            self.daemon = daemon
            return nil
        } catch { return unreported(error) }
    }

    private func carryOut(_ order: SyncOrder) -> AccountSchedule.End {
        guard let daemon else { return .daemonLost }
        let before = account
        do throws(SyncFailure) {
            account = try daemon.answer(report(.running, order))
        } catch {
            account = before
            // The command has stopped waiting, or the order was begun already.
            return error.kind == .daemonLost ? daemonLost(error.message) : .unchanged
        }
        switch order.kind {
        case .synchronize: return synchronize(order)
        case .dryRun, .handOver: return carryOut(order, aside: before)
        }
    }

    private func synchronize(_ order: SyncOrder? = nil, isLocal: Bool = false) -> AccountSchedule.End {
        guard let daemon else { return .daemonLost }
        var pass = ChangePass(
            account, daemon, peer, sharesQueue: sharesQueue, mostAdded: allowance.feedsLeft(at: .now), isDryRun: false)
        let isAgreed = order != nil
        defer { if !isAgreed { allowance.record(feeds: pass.changedFeeds) } }
        let before = (account.received, account.sent)
        do throws(SyncFailure) {
            if isLocal, try !pass.hasChanges() { return .unchanged }
            if account.state != .running { account = try tell(.running) }
            let asks = try pass.run(isAgreed: isAgreed, isWhole: allowance.isWhole)
            allowance.record(isRefused: pass.refusal != nil, isAgreed: isAgreed)
            account = pass.account
            if account.received + account.sent == 0 { (account.received, account.sent) = before }
            account = try tell(asks ? .asking : .idle, order, isSynchronized: !asks)
            return asks ? .asking : .done
        } catch {
            account = pass.account
            (account.received, account.sent) = before
            return failed(error, order)
        }
    }

    /// Carries out an order that does not synchronize. Afterwards the account is as before, unless the server can be reached again.
    private func carryOut(_ order: SyncOrder, aside before: SyncAccount) -> AccountSchedule.End {
        guard let daemon else { return .daemonLost }
        do throws(SyncFailure) {
            let wasUnreachable = [.failed, .refused].contains(before.state)
            do throws(SyncFailure) {
                if order.kind == .dryRun {
                    var pass = ChangePass(account, daemon, peer, sharesQueue: sharesQueue, isDryRun: true)
                    _ = try pass.run(isAgreed: false)
                    account.message = pass.account.message
                    account.details = pass.account.details
                } else {
                    guard let podcastd else {
                        throw SyncFailure(message: "\(account.name) is not an account of another podcastd")
                    }
                    try HandOverPass(daemon, podcastd).run()
                    account.message = wasUnreachable ? nil : before.message
                }
            } catch let error where error.kind != .daemonLost {
                account = before
                account = try tell(before.state == .running ? .idle : before.state, order, failure: error.message)
                return .unchanged
            }
            account = try tell(before.state == .asking ? .asking : .idle, order)
            // Changes from the time without the server are sent at once.
            return wasUnreachable ? .recovered : .unchanged
        } catch { return unreported(error) }
    }

    private func failed(_ failure: SyncFailure, _ order: SyncOrder?) -> AccountSchedule.End {
        if failure.kind == .stopped { return .done }
        if failure.kind == .daemonLost { return daemonLost(failure.message) }
        if account.message != failure.message { log("\(account.name): \(failure.message)") }
        account.message = failure.message
        let end = AccountSchedule.End.failed(retryAfter: failure.retryAfter)
        var next = schedule
        next.handle(.ended(end), at: .now)
        account.nextTry = Timestamp.now.adding(seconds: (next.due - .now).components.seconds)
        do throws(SyncFailure) {
            account = try tell(failure.kind == .refused ? .refused : .failed, order, failure: failure.message)
        } catch { return unreported(error) }
        return end
    }

    /// - Parameter failure: why the daemon did not accept a report.
    private func unreported(_ failure: SyncFailure) -> AccountSchedule.End {
        if failure.kind == .daemonLost { return daemonLost(failure.message) }
        log("\(account.name): \(failure.message)")
        return .failed(retryAfter: nil)
    }

    private func daemonLost(_ message: String) -> AccountSchedule.End {
        log(message)
        daemon = nil
        return .daemonLost
    }

    private func tell(
        _ state: SyncAccount.State, _ order: SyncOrder? = nil, isSynchronized: Bool = false, failure: String? = nil
    ) throws(SyncFailure) -> SyncAccount {
        guard let daemon else { return account }
        return try daemon.answer(report(state, order, isSynchronized: isSynchronized, failure: failure))
    }

    private func report(
        _ state: SyncAccount.State, _ order: SyncOrder? = nil, isSynchronized: Bool = false, failure: String? = nil
    ) -> ReportAccount {
        account.state = state
        return ReportAccount { [account] in
            $0.account = account
            $0.nextTry = state == .failed || state == .refused ? account.nextTry?.description : nil
            $0.isSynchronized = isSynchronized
            $0.order = order?.number
            $0.failure = failure
        }
    }
}
