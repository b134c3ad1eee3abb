import ControlClient
import ControlLanguage
import ControlProtocol
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// A daemon with podcast-web, with which podcast-sync of another daemon synchronizes.
struct SyncHome {
    let daemon: RunningDaemon
    let web: RunningGateway
    let client: DaemonConnection

    /// - Parameter sound: where the daemon plays.
    init(sound: PulseAudio? = nil) throws {
        daemon = try RunningDaemon(
            output: sound == nil ? "null" : "pulse", environment: sound?.environment ?? [], trustsLoopback: true)
        let hash = try passwordHash(in: daemon.scratch)
        web = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch, settings: "[users]\nanna = admin \(hash)\n" + pairing,
            hasPort: true)
        client = try daemon.connect(watching: .player, .sync, .episodes, .feeds)
    }

    /// - Parameter bus: the address of the system bus.
    init(announcedAs name: String, on bus: String) throws {
        daemon = try RunningDaemon(trustsLoopback: true)
        let hash = try passwordHash(in: daemon.scratch)
        web = try RunningGateway(
            daemon: daemon.socketPath, in: daemon.scratch,
            settings: "[server]\nannounce = \(name)\n[users]\nanna = admin \(hash)\n" + pairing, port: "0.0.0.0:0",
            environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(bus)"])
        client = try daemon.connect(watching: .feeds)
    }

    func account(_ kind: String) -> String {
        "home = \(kind) \(web.url) \(kind == "podcastd" ? pairedLogin : "anna open sesame")"
    }
}

private let peerKey = "00112233445566778899aabb"
/// Lines of web.conf that pair a podcastd with `pairedLogin` in its sync.conf.
let pairing = "[peers]\nlaptop = \(peerKey)\n"
let pairedLogin = "laptop \(peerKey)"

/// podcast-sync of a daemon, ready.
/// - Parameters:
///   - settings: further lines of sync.conf.
///   - bus: the address of the system bus, nil for none.
func syncing(
    _ daemon: RunningDaemon, with accounts: [String], settings: String = "", bus: String? = nil
) throws -> ObservedProgram {
    let notifications = try Notifications(path: daemon.scratch.path + "/sync-notify")
    let config = try daemon.scratch.file("sync.conf", "\(settings)\n[accounts]\n" + accounts.joined(separator: "\n"))
    try expectOutcome(Programs.run(Launch("/bin/chmod", ["600", config])), 0)
    let program = try ObservedProgram(
        Programs.path("podcast-sync"), ["--socket", daemon.socketPath, "--config", config],
        environment: [
            "NOTIFY_SOCKET=\(notifications.path)", "HOME=\(daemon.scratch.path)",
            "DBUS_SYSTEM_BUS_ADDRESS=\(bus ?? "unix:path=/nonexistent")",
        ],
        hasErrors: true)
    try #require(notifications.wait(for: "READY=1"), "podcast-sync did not get ready")
    // Accounts report themselves on their own threads.
    let client = try daemon.connect(watching: .sync)
    while try client.call(ListSyncAccounts()).rows.count(where: { $0.state != .off }) < accounts.count {
        try client.change(of: .sync)
    }
    return program
}

extension RunningDaemon {
    /// Runs podcastctl, which must succeed.
    func run(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) throws {
        try expectOutcome(ctl(words), 0, sourceLocation: sourceLocation)
    }
}
