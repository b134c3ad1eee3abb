internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import LineServing
internal import PodcastModel
internal import Reporting
internal import SystemCalls

/// All clients of MPD's protocol, and their one connection to the daemon. The service belongs to the server's thread.
final class MPDService: LineService, ModelHolder {
    private let connection: ControlConnection
    let settings: MPDSettings
    private let ownUser = CurrentProcess.user
    private let started: Instant
    private lazy var reader = ModelReader(self)

    var model = ClientModel()
    private(set) var library = SongLibrary()
    private var sessions: [UInt64: MPDSession] = [:]
    /// Maximum number of bytes of kept covers.
    private static let maximumPictureBytes = 4 << 20
    /// Covers that clients read piece by piece; empty for an episode without a cover.
    private(set) var pictures: [EpisodeID: [UInt8]] = [:]
    let logins: LoginChecks<CommandDeclaration.Permission>
    /// Nil while no feed is refreshed.
    private(set) var update: Int?
    private var lastUpdate = 0
    /// Refreshes that clients of this gateway asked for.
    private var ownUpdates = 0
    /// Whether clients may have changed what the model does not show yet.
    var mustCatchUp = false
    /// Calls that wait until the model has the daemon's queue and feeds.
    private var waiting: [() -> Void] = []
    private var snapshotsUnderWay = 0
    private var hasSnapshot = false
    private var hasSettings = false
    /// Whether the queue and the feeds were read. Their first reading is not reported as a change.
    private var hasLists = false
    /// Whether episodes stay in the queue when they were played.
    private(set) var keepsPlayed = false
    /// Whether episodes are made equally loud.
    private(set) var adjustsLoudness = false

    /// - Parameter notify: called on another thread when the server's `wake` must be called.
    init(socket: String, settings: MPDSettings, now: Instant, notify: @escaping @Sendable () -> Void) {
        logins = LoginChecks(notify: notify)
        connection = ControlConnection(reconnectingTo: socket, restrictedTo: settings.highestPermission)
        self.settings = settings
        started = now
        reader.onChange = { [weak self] parts in self?.modelChanged(parts) }
        connection.watch([.player, .queue, .feeds, .episodes, .activities, .outputs, .settings, .playlists])
    }

    /// Seconds since the start.
    var uptime: Int { Int((Instant.now - started).inSeconds) }

    // MARK: line server

    var companion: (descriptor: Int32, wantsWriting: Bool)? {
        connection.descriptor < 0 ? nil : (connection.descriptor, connection.wantsWriting)
    }

    func isOwner(_ peer: LinePeer) -> Bool { [.user(ownUser), .user(0)].contains(peer.account) }

    func session(on connection: LineConnection) throws(LineRefusal) -> any LineSession {
        let session = MPDSession(self, connection)
        sessions[connection.id] = session
        // Another client may have changed what this one reads first.
        mustCatchUp = true
        if isReady { session.greet() }
        return session
    }

    func line(reporting problem: LineProblem) -> [UInt8] {
        let text =
            switch problem {
            case .tooManyConnections, .noDescriptors: "too many connections"
            case .tooManyConnectionsOfAccount(let account, let limit): "\(account) has \(limit) connections already"
            case .lineTooLong(let limit): "a line is longer than \(limit) bytes"
            case .tooMuchMemory(let account, let limit): "unread answers of \(account) take more than \(limit) bytes"
            }
        return MPDError(.system, text).line(index: 0, command: "")
    }

    func wake() -> Instant? {
        connection.retry()
        for event in connection.process() { receive(event) }
        logins.process()
        return connection.deadline
    }

    func keep(_ picture: [UInt8], of episode: EpisodeID) {
        let bytes = pictures.values.reduce(picture.count) { $0 + $1.count }
        if bytes > Self.maximumPictureBytes { pictures = [:] }
        pictures[episode] = picture
    }

    func ended(_ session: MPDSession) { sessions[session.connection.id] = nil }

    // MARK: commands

    /// Calls a command with at most this permission.
    func call<Called: Command>(
        _ command: Called, as permission: CommandDeclaration.Permission,
        done: @escaping (Result<Called.Reply, MPDError>) -> Void
    ) {
        let request = Request(id: nil, command)
        connection.send(method: request.method, params: request.params, as: permission) { outcome in
            switch outcome {
            case .success(let json):
                done(Called.Reply(json: json).map(Result.success) ?? .failure(MPDError(.unreadable(Called.name))))
            case .failure(let failure): done(.failure(MPDError(failure)))
            }
        }
    }

    func read<Called: Command>(_ command: Called, done: @escaping (Called.Reply?) -> Void) {
        call(command, as: .read) { done(try? $0.get()) }
    }

    /// Whether the model may lack what clients have changed, or lists that are being read.
    var isBehind: Bool { mustCatchUp || !waiting.isEmpty || !model.partsToReload.isEmpty }

    /// Calls back when the model has all changes that were made until now.
    func catchUp(_ done: @escaping () -> Void) {
        waiting.append(done)
        guard mustCatchUp else { return }
        mustCatchUp = false
        snapshotsUnderWay += 1
        // Subscribing again answers with the present values.
        connection.send(SubscribeStatus { $0.parts = [.player, .queue, .outputs] }) { [weak self] outcome in
            guard let self else { return }
            snapshotsUnderWay -= 1
            if let snapshot = try? outcome.get() { receive(.snapshot(snapshot)) }
            endWaiting()
        }
    }

    private func endWaiting() {
        if snapshotsUnderWay > 0 || hasSnapshot && !model.partsToReload.isEmpty { return }
        for done in exchange(&waiting, with: []) { done() }
    }

    /// Refreshes feeds. Returns the number of the update, as `updating_db` shows it.
    func refresh(_ command: RefreshFeeds, as permission: CommandDeclaration.Permission) -> Int {
        ownUpdates += 1
        updateRefreshState()
        call(command, as: permission) { [weak self] _ in
            self?.ownUpdates -= 1
            self?.updateRefreshState()
        }
        return lastUpdate
    }

    // MARK: events

    private func receive(_ event: ConnectionEvent) {
        let before = model
        switch event {
        case .snapshot where !hasSnapshot:
            hasSnapshot = true
            readSettings { [weak self] in
                self?.hasSettings = true
                self?.greetAll()
            }
            // The daemon answers in order, and clients are greeted without these.
            reader.want(.queue)
            reader.want(.feeds)
        case .greeted, .snapshot: break
        case .lost: daemonEnded()
        case .changed(let change):
            if change.part == .settings { readSettings {} }
            if change.part == .playlists { report([.storedPlaylist]) }
            if change.part == .episodes, change.changes(.mark) { report([.sticker]) }
            if change.part == .episodes, change.changes(.content) {
                for episode in change.updatedEpisodes ?? [] { model.apply(episode) }
                modelChanged(.init(.queue))
            }
        }
        reader.receive(event)
        var changes = model.player.changes(since: before.player)
        if model.outputs != before.outputs { changes.insert(.output) }
        if model.queue.index != before.queue.index { changes.insert(.player) }
        if model.activities != before.activities { updateRefreshState() }
        report(changes)
        greetAll()
    }

    /// Reads the settings that clients see as MPD's options.
    func readSettings(_ done: @escaping () -> Void) {
        let before = (keepsPlayed, adjustsLoudness)
        read(GetSetting { $0.key = "queue.keep_played" }) { [weak self] setting in
            if let self, let setting { keepsPlayed = setting.active == "yes" }
        }
        // The daemon answers in order.
        read(GetSetting { $0.key = "playback.loudness" }) { [weak self] setting in
            guard let self else { return }
            if let setting { adjustsLoudness = setting.active != "off" }
            if before != (keepsPlayed, adjustsLoudness) { report([.options]) }
            done()
        }
    }

    private func modelChanged(_ parts: StatusParts) {
        if parts.contains(.feeds) {
            if library.update(feeds: model.feeds), hasLists { report([.database]) }
            // A cover may have changed with its feed.
            pictures = [:]
        }
        if parts.contains(.queue), !model.partsToReload.contains(.queue) {
            if library.update(entries: model.entries), hasLists { report([.playlist]) }
        }
        if hasSnapshot, model.partsToReload.isEmpty { hasLists = true }
        endWaiting()
        greetAll()
    }

    /// Notices the beginning and the end of a refresh.
    private func updateRefreshState() {
        let isUpdating = ownUpdates > 0 || model.activities.contains { $0.kind == .refreshing }
        if isUpdating == (update != nil) { return }
        if isUpdating { lastUpdate = lastUpdate == Int(Int32.max) ? 1 : lastUpdate + 1 }
        update = isUpdating ? lastUpdate : nil
        report([.update])
    }

    func report(_ changes: MPDSubsystems) {
        if changes.isEmpty { return }
        for session in sessions.values where session.isGreeted { session.changed(changes) }
    }

    /// Clients see the end of the daemon as they see that of MPD: the connection ends.
    private func daemonEnded() {
        hasSnapshot = false
        hasSettings = false
        hasLists = false
        for session in sessions.values where session.isGreeted { session.connection.close() }
        endWaiting()
    }

    /// The queue and the feeds may still be read: commands wait for them.
    private var isReady: Bool { hasSnapshot && hasSettings && model.greeting != nil }

    private func greetAll() {
        guard isReady else { return }
        for session in sessions.values where !session.isGreeted { session.greet() }
    }
}

extension MPDError {
    /// Why a call of the daemon has no reply.
    init(_ failure: ClientFailure) {
        switch failure {
        case .refused(let error): self.init(error)
        case .notRunning, .closed, .forbidden, .timedOut, .protocolFault, .system: self.init(.system, failure.text)
        }
    }
}

extension EventReply {
    /// The position of the playing episode changes all the time, the other aspects seldom.
    fileprivate func changes(_ aspect: EpisodeAspect) -> Bool {
        needsReload == true
            || changes.contains { $0.kind == .update && ($0.aspects.isEmpty || $0.aspects.contains(aspect)) }
    }
}
