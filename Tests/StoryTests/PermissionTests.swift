import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import LoopbackServer
import SystemCalls
import TestSupport
import Testing

/// Clients of other users and groups, as the kernel tells the daemon of them. Only root can become others.
@Suite(.ownThread, .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "needs root"))
struct PermissionTests {
    /// A client's user and supplementary groups, by the names that every Debian system has.
    struct Person: CustomTestStringConvertible, Sendable {
        var user: String
        var groups: [String] = []
        /// The highest permission that is expected; nil for none.
        var permission: String?
        var testDescription: String { "\(user) in \(groups)" }
    }

    private static let config = """
        [control]
        users = games=control, man=read
        groups = audio=read, video=admin

        """

    private let daemon: RunningDaemon

    init() throws {
        let scratch = try Scratch()
        let config = try scratch.file("podcastd.conf", Self.config)
        daemon = try RunningDaemon(in: scratch, arguments: ["--config", config])
        // As a service manager does it: the socket belongs to a group whose members may knock.
        expectEqual(chmod(scratch.path, 0o755), 0)
        expectEqual(chown(daemon.socketPath, 0, try Self.group("dip")), 0)
    }

    private static func group(_ name: String) throws -> gid_t { try #require(getgrnam(name)).pointee.gr_gid }

    /// Runs a program as somebody else.
    private func run(_ person: Person, _ arguments: [String]) throws -> Outcome<Int32?> {
        let user = try #require(getpwnam(person.user)).pointee
        let groups = try (person.groups + ["dip"]).map { "\(try Self.group($0))" }.joined(separator: ",")
        return try Programs.run(
            Launch(
                "/usr/bin/setpriv",
                ["--reuid", "\(user.pw_uid)", "--regid", "\(user.pw_gid)", "--groups", groups]
                    + [Programs.path("podcastctl"), "--socket", daemon.socketPath] + arguments,
                environment: ["HOME=/nonexistent"]))
    }

    @Test(arguments: [
        Person(user: "nobody", permission: nil), Person(user: "nobody", groups: ["audio"], permission: "read"),
        Person(user: "man", permission: "read"), Person(user: "games", permission: "control"),
        Person(user: "games", groups: ["audio"], permission: "control"),
        Person(user: "man", groups: ["audio", "video"], permission: "admin"),
    ])
    func userAndGroupsDetermineThePermission(person: Person) throws {
        try expectOutcome(run(person, ["status", "--json"]), person.permission == nil ? 77 : 0)
        try expectOutcome(run(person, ["volume", "30"]), ["control", "admin"].contains(person.permission) ? 0 : 77)
        let administers = try run(person, ["settings", "playback.rebuffer", "5"])
        expectEqual(administers.status, person.permission == "admin" ? 0 : 77, "\(administers.errors)")
        if let permission = person.permission, permission != "admin" {
            expectContains(administers.errors, "needs the permission admin")
            expectContains(administers.errors, "you have the permission \(permission); to permit it, write 'users = ")
            expectContains(administers.errors, "\(person.user)=admin' below [control] in ")
        }
    }

    @Test func aRefusedUserLearnsTheLineThatPermitsIt() throws {
        try expectOutcome(
            run(Person(user: "nobody", permission: nil), ["status"]), 77,
            errors: "write 'users = games=control, man=read, nobody=control' below [control] in "
                + "\(daemon.scratch.path)/podcastd.conf and restart podcastd")
    }
}

/// A user's own daemon whose config names others, with its socket in a folder of their group.
@Suite(.ownThread, .timeLimit(.minutes(10)), .enabled(if: geteuid() == 0, "needs root"))
struct SharedSocketTests {
    private let scratch: Scratch
    private let daemon: RunningDaemon
    private let audio: gid_t

    /// A daemon of user `man` whose socket is in a folder of the group `audio`.
    init() throws {
        scratch = try Scratch()
        let config = try scratch.file("podcastd.conf", "[control]\nusers = games=control\ngroups = audio=read\n")
        let owner = try #require(getpwnam("man")).pointee
        audio = try #require(getgrnam("audio")).pointee.gr_gid
        for (folder, group, mode) in [
            ("run", audio, 0o2750), ("data", owner.pw_gid, 0o700), ("cache", owner.pw_gid, 0o700),
        ] {
            let path = "\(scratch.path)/\(folder)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(chown(path, owner.pw_uid, group) == 0 && chmod(path, mode_t(mode)) == 0)
        }
        #expect(chmod(scratch.path, 0o711) == 0 && chmod(config, 0o644) == 0)
        daemon = try RunningDaemon(
            in: scratch, arguments: ["--config", config],
            launcher: [
                "/usr/bin/setpriv", "--reuid", "\(owner.pw_uid)", "--regid", "\(owner.pw_gid)", "--clear-groups",
            ],
            socket: scratch.path + "/run/control")
    }

    private func run(_ words: [String], as user: String, _ groups: String) throws -> Outcome<Int32?> {
        let entry = try #require(getpwnam(user)).pointee
        return try Programs.run(
            Launch(
                "/usr/bin/setpriv",
                ["--reuid", "\(entry.pw_uid)", "--regid", "\(entry.pw_gid)", groups, Programs.path("podcastctl")]
                    + ["--socket", daemon.socketPath] + words,
                environment: ["HOME=/nonexistent", "USER=\(user)"]))
    }

    @Test func whoIsInTheGroupReachesTheSocketAndNobodyElseDoes() throws {
        try expectEqual(run(["volume", "40"], as: "games", "--groups=\(audio)").status, 0)
        try expectEqual(run(["status"], as: "nobody", "--groups=\(audio)").status, 0)
        try expectEqual(run(["volume", "50"], as: "nobody", "--groups=\(audio)").status, 77)
        try expectOutcome(
            run(["status"], as: "nobody", "--clear-groups"), 77,
            errors: "no permission to use \(daemon.socketPath): you may not enter ",
            "can write 'users = nobody=control' below [control]")
    }
}

@Suite(.ownThread, .timeLimit(.minutes(10)))
struct NarrowingTests {
    @Test func aPermissionThatWasGivenUpCannotBeRegained() throws {
        let daemon = try RunningDaemon()
        let client = try daemon.connect()
        try expectEqual(client.call(RestrictSession { $0.permission = .control }).permission, .control)
        try client.call(SetVolume { $0.level = 30 })
        #expect(throws: (any Error).self) {
            try client.call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "5") })
        }
        #expect(throws: (any Error).self) { try client.call(RestrictSession { $0.permission = .admin }) }
        #expect(throws: (any Error).self) {
            try client.call(
                CallAs {
                    ($0.permission, $0.method) = (.admin, SetSetting.name)
                    $0.parameters = ["key": "playback.rebuffer", "value": "5"]
                })
        }
        // Another connection of the same user is as it was.
        try expectEqual(
            daemon.connect().call(SetSetting { ($0.key, $0.value) = ("playback.rebuffer", "5") }).value, "5")
    }

    @Test func aTitleThatAPublisherChoseGivesNoPermissionToUndo() throws {
        let daemon = try RunningDaemon()
        let published = try PublishedFeed(title: "volume", episodes: [("Alpha", try fixture("forty-seconds.mp3"))])
        let owner = try daemon.connect()
        try owner.call(Subscribe { $0.urls = [published.feed.url] })
        try owner.call(Unsubscribe { $0.feeds = [published.feed.url] })
        let client = try daemon.connect()
        try client.call(RestrictSession { $0.permission = .control })
        #expect {
            try client.call(Undo())
        } throws: { ($0 as? ClientFailure)?.code == .notPermitted }
        try client.call(SetVolume { $0.level = 30 })
        try expectEqual(client.call(Undo()).title, "volume")
    }

    @Test func aGatewayCallsWithThePermissionOfItsClient() throws {
        let gateway = try RunningDaemonConnection()
        let client = gateway.client
        try expectEqual(
            client.answer(to: CallAs { ($0.permission, $0.method) = (.read, GetStatus.name) })["state"], "stopped")
        #expect {
            try client.call(
                CallAs { ($0.permission, $0.method, $0.parameters) = (.read, SetVolume.name, ["level": 1]) })
        } throws: { ($0 as? ClientFailure)?.code == .notPermitted }
        try expectEqual(client.call(SetVolume { $0.level = 31 }).volume, 31)
    }

    @Test func argumentsOfClientsAreNeverOptionsOfAProgram() throws {
        let gateway = try RunningDaemonConnection()
        for word in ["--config=/etc/hostname", "--data-dir=/", "--socket=/nowhere"] {
            #expect {
                try gateway.client.call(Subscribe { $0.urls = [word] })
            } throws: { error in
                let failure = error as? ClientFailure
                return failure?.code == .feedFailed && failure?.what.contains("not a valid URL") == true
            }
        }
    }
}

/// A daemon with one connection.
private struct RunningDaemonConnection {
    let daemon: RunningDaemon
    let client: DaemonConnection

    init() throws {
        daemon = try RunningDaemon()
        client = try daemon.connect()
    }
}
