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
    /// Nil for a server of another kind.
    private let podcastd: PeerAccount?
    private let socket: String
    private let mailbox: AccountMailbox
    private var schedule: AccountSchedule
    private var daemon: ControlConnection?
    private var account = SyncAccount()
    private let sharesQueue: Bool
    private var allowance = ServerAllowance(at: .now)
    private let events: ServerEvents

    init(
        _ settings: AccountSettings, _ all: SyncSettings, socket: String, mailbox: AccountMailbox
    ) throws(HTTPError) {
        let http = try HTTPMulti(settings: HTTPSettings(certificateFile: all.certificateFile))
        server = ServerConnection(settings, http) { mailbox.isStopped }
        podcastd = settings.kind == .podcastd ? PeerAccount(server) : nil
        let device = SyncProgram.deviceName
        peer =
            if let podcastd {
                LogPeer(podcastd, name: settings.name, device: device)
            } else {
                DocumentPeer(PasswordAccount(server), settings.kind, device: device)
            }
        sharesQueue = all.sharesQueue
        self.socket = socket
        self.mailbox = mailbox
        schedule = AccountSchedule(interval: all.interval, isQuick: settings.kind == .podcastd)
        account.name = settings.name
        account.server = "\(settings.user) at \(settings.address)"
        events = ServerEvents { mailbox.post(.changedThere) }
        mailbox.wake(http.waker)
    }

    func run() {
        server.reportWait = { [unowned self] what in
            account.message = what
            try? tell(account.state)
        }
        while !mailbox.isStopped {
            for event in mailbox.take() {
                if event == .connected { forget() }
                schedule.handle(event, at: .now)
            }
            let step = schedule.step(at: .now)
            if step == .wait { wait() } else { schedule.handle(.ended(perform(step)), at: .now) }
        }
    }

    private func wait() {
        var due = schedule.due
        if let podcastd, account.state == .idle { due = min(due, events.listen(to: podcastd) ?? due) }
        do throws(HTTPError) {
            try server.http.poll(timeout: due == .distantFuture ? nil : max(.zero, due - .now))
        } catch {
            SyncProgram.log(error.message)
            mailbox.stop()
        }
    }

    /// Forgets how far the account is synchronized: the library may have been replaced by an older one.
    private func forget() {
        daemon = nil
        account.serverRevision = 0
        account.sentRevision = 0
    }

    private func perform(_ step: AccountSchedule.Step) -> AccountSchedule.End {
        do throws(SyncFailure) {
            let daemon = try connect()
            switch step {
            case .wait: return .unchanged
            case .synchronize(let isLocal): return try synchronize(daemon, isLocal: isLocal)
            case .carryOut(let order): return try carryOut(order, daemon)
            }
        } catch {
            // The daemon did not accept a report, or does not answer.
            if error.kind == .daemonLost {
                SyncProgram.log(error.message)
                daemon = nil
                return .daemonLost
            }
            SyncProgram.log("\(account.name): \(error.message)")
            return .failed(retryAfter: nil)
        }
    }

    /// Connects with the daemon, unless this is done, and learns how far the account is synchronized.
    private func connect() throws(SyncFailure) -> ControlConnection {
        if let daemon { return daemon }
        let connection = try mapError(of: ControlConnection(path: socket)) { (failure: ClientFailure) in
            SyncFailure(failure)
        }
        // An import waits for podcast-refresh.
        connection.timeout = .seconds(600)
        daemon = connection
        do throws(SyncFailure) { try tell(.running) } catch {
            // Another connection may have the account until it ends.
            daemon = nil
            throw error
        }
        return connection
    }

    private func synchronize(
        _ daemon: ControlConnection, _ order: SyncOrder? = nil, isLocal: Bool = false
    ) throws(SyncFailure) -> AccountSchedule.End {
        var pass = ChangePass(
            account, daemon, peer, sharesQueue: sharesQueue, mostAdded: allowance.feedsLeft(at: .now), isDryRun: false)
        let isAgreed = order != nil
        defer { if !isAgreed { allowance.record(feeds: pass.changedFeeds) } }
        let before = (account.received, account.sent)
        do throws(SyncFailure) {
            if isLocal, try !pass.hasChanges() { return .unchanged }
            if account.state != .running { try tell(.running) }
            let asks = try pass.run(isAgreed: isAgreed, isWhole: allowance.isWhole)
            allowance.record(isRefused: pass.refusal != nil, isAgreed: isAgreed)
            account = pass.account
            if account.received + account.sent == 0 { (account.received, account.sent) = before }
            try tell(asks ? .asking : .idle, order, isSynchronized: !asks)
            return asks ? .asking : .done
        } catch {
            account = pass.account
            (account.received, account.sent) = before
            return try failed(error, order)
        }
    }

    private func failed(_ failure: SyncFailure, _ order: SyncOrder?) throws(SyncFailure) -> AccountSchedule.End {
        if failure.kind == .stopped { return .done }
        if failure.kind == .daemonLost { throw failure }
        if account.message != failure.message { SyncProgram.log("\(account.name): \(failure.message)") }
        account.message = failure.message
        let end = AccountSchedule.End.failed(retryAfter: failure.retryAfter)
        var next = schedule
        next.handle(.ended(end), at: .now)
        account.nextTry = Timestamp.now.adding(seconds: (next.due - .now).components.seconds)
        try tell(failure.kind == .refused ? .refused : .failed, order, failure: failure.message)
        return end
    }

    private func carryOut(
        _ order: SyncOrder, _ daemon: ControlConnection
    ) throws(SyncFailure) -> AccountSchedule.End {
        let before = account
        do throws(SyncFailure) { try tell(.running, order) } catch {
            account = before
            // The command has stopped waiting, or the order was begun already.
            if error.kind == .daemonLost { throw error }
            return .unchanged
        }
        if order.kind == .synchronize { return try synchronize(daemon, order) }
        // Afterwards the account is as before, unless the server can be reached again.
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
            try tell(before.state == .running ? .idle : before.state, order, failure: error.message)
            return .unchanged
        }
        try tell(before.state == .asking ? .asking : .idle, order)
        // Changes from the time without the server are sent at once.
        return wasUnreachable ? .recovered : .unchanged
    }

    private func tell(
        _ state: SyncAccount.State, _ order: SyncOrder? = nil, isSynchronized: Bool = false, failure: String? = nil
    ) throws(SyncFailure) {
        guard let daemon else { return }
        account.state = state
        let report = ReportAccount { [account] in
            $0.account = account
            $0.nextTry = state == .failed || state == .refused ? account.nextTry?.description : nil
            $0.isSynchronized = isSynchronized
            $0.order = order?.number
            $0.failure = failure
        }
        account = try daemon.answer(report)
    }
}
