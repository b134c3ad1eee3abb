import Foundation
import PodcastModel
import Reporting
import TestSupport
import Testing

/// The journal's end of its socket.
private final class Journal {
    let path: String
    private let socket: Int32

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "j-\(UUID().uuidString.prefix(8))").path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
    }

    deinit {
        close(socket)
        unlink(path)
    }

    func next() -> [String] {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(socket, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}

@Suite(.ownThread) struct JournalTests {
    @Test func anEntryHasItsPriorityItsSectionAndWhatItIsAbout() throws {
        let journal = try Journal()
        let logger = Logger(levels: LogLevels(.info), to: .journal(path: journal.path, identifier: "podcastd"))
        logger.log(.warning, .playback, "no sound", about: [.feed(12), .episode(345)])
        expectEqual(
            journal.next(),
            [
                "MESSAGE=playback: no sound", "PRIORITY=4", "SYSLOG_IDENTIFIER=podcastd", "PODCASTD_SECTION=playback",
                "PODCASTD_FEED=12", "PODCASTD_EPISODE=345",
            ])
    }

    @Test func feedTextCannotAddAFieldToAnEntry() throws {
        let journal = try Journal()
        let logger = Logger(levels: LogLevels(.info), to: .journal(path: journal.path, identifier: "podcastd"))
        logger.log(.notice, .refresh, "title\nPRIORITY=0\r\u{2028}_UID=0")
        let names = journal.next().map { $0.prefix { $0 != "=" } }
        expectEqual(
            names,
            [
                "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "PODCASTD_SECTION",
            ])
    }

    @Test func whatIsNoSecretOfAnAddressIsLogged() throws {
        let journal = try Journal()
        let logger = Logger(levels: LogLevels(.info), to: .journal(path: journal.path, identifier: "podcastd"))
        logger.log(.warning, .refresh, "https://me:secret@host.example/feed.xml?token=secret: not there")
        expectEqual(journal.next().first, "MESSAGE=refresh: https://…@host.example/feed.xml?… not there")
    }

    @Test func withoutRedirectionStandardErrorIsTheJournals() {
        var status = stat()
        fstat(2, &status)
        let own = "\(status.st_dev):\(status.st_ino)"
        guard
            case .journal(LogDestination.journalPath, "x") = LogDestination.ofProcess(
                identifier: "x", variable: { $0 == "JOURNAL_STREAM" ? own : nil })
        else { return #expect(Bool(false), "standard error is the stream that the variable names") }
    }

    @Test(arguments: ["1:2", "", "nonsense", nil])
    func aRedirectedStandardErrorIsAPlainFile(stream: String?) {
        guard
            case .standardError(hasPriorities: false) = LogDestination.ofProcess(
                identifier: "x", variable: { $0 == "JOURNAL_STREAM" ? stream : nil })
        else { return #expect(Bool(false), "the variable was meant for another stream") }
    }
}

@Suite(.ownThread) struct RedactionTests {
    @Test(
        arguments: [
            ("https://host/feed", "https://host/feed"),
            ("https://me:pa,s)s@host/feed", "https://…@host/feed"),
            ("https://user@host", "https://…@host"),
            ("https://a@b@host/x", "https://…@host/x"),
            ("see https://host/a?key=1#f and https://host/b#token", "see https://host/a?… and https://host/b#…"),
            ("\"https://h/?u=http://x/?k=1\" failed", "\"https://h/?…\" failed"),
            ("http://h/p@th", "http://h/p@th"),
            ("no address: // or ://", "no address: // or ://"),
            ("", ""),
        ])
    func addressesKeepTheirPlaceAndLoseTheirSecrets(text: String, redacted: String) {
        expectEqual(redactingAddresses(in: text), redacted)
    }
}
