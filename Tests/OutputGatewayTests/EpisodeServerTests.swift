import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import Glibc
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

@testable import OutputGateway

/// A daemon, the server for a renderer, and curl in place of the renderer.
@Suite(.ownThread, .timeLimit(.minutes(5)))
struct EpisodeServerTests {
    private let scratch: Scratch
    private let published: PublishedFeed
    private let audio: [UInt8]
    private let daemon: RunningDaemon
    private let connection: ControlConnection
    private let server: EpisodeServer
    private let notices = Notices()

    private final class Notices { var count = 0 }

    init() throws {
        scratch = try Scratch()
        audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: [("Second", [1, 2, 3]), ("First", audio)])
        daemon = try RunningDaemon(in: scratch)
        _ = try daemon.connect(subscribing: published.feed.url)
        connection = ControlConnection(reconnectingTo: daemon.socketPath, restrictedTo: .control)
        server = try EpisodeServer(connection, on: "127.0.0.1", for: "127.0.0.1")
        server.noticed = { [notices] in notices.count += 1 }
        let list = try daemon.connect().call(ListEpisodes { $0.search = "First" })
        server.episode = try #require(list.episodes.first).episode.id
    }

    private var url: String { server.url(of: server.episode ?? EpisodeID(0)) }

    /// - Returns: status, head and body of the response.
    private func curl(_ arguments: String...) throws -> (status: String, head: String, body: [UInt8]) {
        let (head, body) = (scratch.path + "/head", scratch.path + "/body")
        try Data().write(to: URL(filePath: body))
        let process = try ChildProcess(
            Launch(
                try RequiredTool.curl.path(), ["-s", "-D", head, "-o", body, "--max-time", "240"] + arguments,
                environment: ["PATH=/usr/bin:/bin"]))
        while process.exitStatus() == nil {
            _ = connection.process()
            server.process()
            var entries = server.waits + [PollEntry(connection.descriptor), PollEntry(process.descriptor)]
            if connection.wantsWriting { entries.append(PollEntry(connection.descriptor, forWriting: true)) }
            try waitForAny(&entries, until: server.deadline ?? .now + .seconds(1))
        }
        let text = try String(contentsOf: URL(filePath: head), encoding: .utf8)
        let status = text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
        return (status, text, [UInt8](try Data(contentsOf: URL(filePath: body))))
    }

    @Test func theWholeFileAndItsPartsAreServedAndFetchedOnce() throws {
        let whole = try curl(url)
        #expect(whole.status == "200" && whole.body == audio)
        expectContains(whole.head, "Content-Length: \(audio.count)")
        expectContains(whole.head, "Content-Type: audio/mpeg")
        expectContains(whole.head, "Accept-Ranges: bytes")
        let part = try curl("-r", "1000-1999", url)
        #expect(part.status == "206" && part.body == Array(audio[1000..<2000]))
        expectContains(part.head, "Content-Range: bytes 1000-1999/\(audio.count)")
        let end = try curl("-r", "-100", url)
        #expect(end.status == "206" && end.body == Array(audio.suffix(100)))
        expectEqual(published.media[1].requests.count, 1)
    }

    @Test func theEndOfAFileIsServedWithoutWhatIsBeforeIt() throws {
        let part = try curl("-r", "\(audio.count - 10)-", url)
        #expect(part.status == "206" && part.body == Array(audio.suffix(10)))
    }

    @Test func aHeadIsSentWithoutABody() throws {
        let head = try curl("-I", url)
        expectEqual(head.status, "200")
        expectContains(head.head, "Content-Length: \(audio.count)")
    }

    @Test func aRangeBehindTheEndIsRefusedWithTheLength() throws {
        let refused = try curl("-r", "99999999-", url)
        expectEqual(refused.status, "416")
        expectContains(refused.head, "Content-Range: bytes */\(audio.count)")
    }

    @Test func nothingElseIsServed() throws {
        let other = server.url(of: EpisodeID((server.episode?.rawValue ?? 0) + 1))
        let root = url.split(separator: "/").prefix(2).joined(separator: "//")
        for place in [other, root + "/", root + "/\(server.episode?.rawValue ?? 0)", url + "/x"] {
            expectEqual(try curl(place).status, "404", "\(place)")
        }
        expectEqual(try curl("-X", "POST", "-d", "x", url).status, "404")
        server.episode = nil
        expectEqual(try curl(url).status, "404")
    }

    @Test func noticesOfARendererAreTaken() throws {
        let sent = try curl("-X", "NOTIFY", "-d", "<e:propertyset/>", server.callback)
        expectEqual(sent.status, "200")
        expectEqual(notices.count, 1)
    }

    @Test func aFileThatCannotBeFetchedIsAnErrorOfTheServer() throws {
        published.server.stop()
        expectEqual(try curl(url).status, "502")
    }

    @Test func aLongBodyIsRefused() throws {
        let body = try scratch.file("long", String(repeating: "x", count: 65 << 10))
        expectEqual(try curl("-X", "NOTIFY", "--data-binary", "@" + body, server.callback).status, "413")
        let head = "X: " + String(repeating: "x", count: 60_000)
        expectEqual(try curl("-X", "NOTIFY", "-H", head, server.callback).status, "431")
    }

    /// A connection that sends nothing.
    private func connect(to port: Int, from source: UInt32 = 0x7F00_0001) throws -> Int32 {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var own = sockaddr_in()
        own.sin_family = sa_family_t(AF_INET)
        own.sin_addr.s_addr = source.bigEndian
        let bound = withUnsafePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(bound == 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(result == 0)
        return raw
    }

    /// Until the server has nothing to do.
    private func accept() throws {
        var waits = server.waits
        repeat {
            server.process()
            waits = server.waits
            try waitForAny(&waits, until: .now + .milliseconds(20))
        } while waits[0].isReady
    }

    @Test func oneAddressHasEightConnections() throws {
        let port = try #require(URL(string: url)?.port)
        let idle = try (0..<8).map { _ in try connect(to: port) }
        try accept()
        expectEqual(try curl(url).status, "")
        for raw in idle { close(raw) }
        try accept()
        expectEqual(try curl(url).status, "200")
    }

    @Test func idleConnectionsOfOthersLeaveRoomForTheRenderer() throws {
        let port = try #require(URL(string: url)?.port)
        let idle = try (0..<64).map { try connect(to: port, from: 0x7F00_0002 + UInt32($0 % 8)) }
        try accept()
        expectEqual(try curl(url).status, "200")
        for raw in idle { close(raw) }
    }
}
