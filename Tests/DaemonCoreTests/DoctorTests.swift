import AudioOutput
import ChildProcess
import Configuration
import ControlProtocol
import Foundation
import HTTP
import Library
import LibraryModel
import PodcastModel
import SystemCalls
import Testing

@testable import DaemonCore

// What the daemon makes of what it sees, with everything shown to it by the test.
@Suite struct DoctorTests {
    private struct Outputs: OutputInspecting {
        var found: [String: OutputCondition] = [:]
        var cards: [String] = []
        func devices() -> [String] { cards }
        func condition(of specification: OutputSpecification) -> OutputCondition {
            found[specification.name] ?? .usable
        }
    }

    private func output(
        _ condition: OutputCondition, of text: String = "alsa", isInUse: Bool = false
    ) throws -> CheckReply {
        let specification = try OutputSpecification(parsing: text)
        return OutputChecks(
            inspector: Outputs(found: [specification.name: condition]), specification: specification, isInUse: isInUse
        ).output
    }

    @Test func anOutputThatCannotBeUsedSaysWhyAndWhatToDo() throws {
        #expect(try output(.usable).outcome == .ok)
        let faults: [OutputCondition] = [
            .busy, .forbidden("default"), .missing, .unreachable, .unreadable("/x"), .unusable("odd"),
        ]
        for condition in faults { #expect(try output(condition).outcome == .needsPerson, "\(condition)") }
        #expect(try output(.forbidden("default")).fix?.contains("group audio") == true)
        #expect(try output(.forbidden("/x"), of: "fifo:/x").fix?.contains("ReadWritePaths") == true)
        #expect(try output(.unreadable("/x"), of: "fifo:/x").fix == "chmod go+r /x")
        #expect(try output(.usable, of: "null").finding.hasPrefix("null: nothing is heard"))
    }

    @Test func whatPodcastdItselfPlaysToIsNotBusy() throws {
        let found = try output(.busy, isInUse: true)
        #expect(found.outcome == .ok)
        #expect(found.finding.contains("in use by podcastd"))
    }

    @Test func cardsAreCountedAndThoseInUseNamed() {
        func cards(_ found: [String: OutputCondition]) -> CheckReply {
            OutputChecks(
                inspector: Outputs(found: found, cards: ["hw:CARD=A,DEV=0", "hw:CARD=B,DEV=0"]),
                specification: OutputSpecification(.null), isInUse: false
            ).devices
        }
        #expect(cards([:]) == .ok("sound cards", "ALSA knows 2, like hw:CARD=A,DEV=0"))
        #expect(cards(["alsa:hw:CARD=B,DEV=0": .busy]).finding.hasSuffix("in use: hw:CARD=B,DEV=0"))
        let closed = OutputCondition.forbidden("x")
        #expect(cards(["alsa:hw:CARD=A,DEV=0": closed, "alsa:hw:CARD=B,DEV=0": closed]).outcome == .notice)
    }

    private func library(_ look: () throws(LibraryError) -> [CheckResult]) -> CheckReply {
        StorageChecks.library(path: "/l", opened: nil, restart: "restart podcastd", look: look)
    }

    @Test func aLibraryThatWasReplacedUnderTheDaemonNeedsAPerson() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("doctor-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("library.db").path
        let store = try LibraryStore(path: path)
        func reply() -> CheckReply {
            StorageChecks.library(path: path, opened: store.file, restart: "systemctl --user restart podcastd") {
                () throws(LibraryError) in []
            }
        }
        #expect(reply().outcome == .ok)
        let copy = try BackupFolder(beside: path).write(at: Timestamp(seconds: 0))
        try FileManager.default.removeItem(atPath: path)
        #expect(reply().outcome == .needsPerson)
        #expect(reply().finding.hasPrefix("\(path) was removed"))
        try FileManager.default.moveItem(atPath: copy.path, toPath: path)
        #expect(reply().finding.hasPrefix("another file was put at \(path)"))
        #expect(reply().fix?.contains("systemctl --user restart podcastd") == true)
    }

    @Test func aDamagedLibraryNeedsAPerson() {
        let sound = CheckResult("structure", .fine, "every page is sound")
        #expect(library { () throws(LibraryError) in [sound] }.outcome == .ok)
        let counters = CheckResult("counters", .damaged, "2 counters that count wrong")
        let fault = library { () throws(LibraryError) in [sound, counters] }
        #expect(fault.outcome == .needsPerson)
        #expect(fault.finding == "/l is damaged: counters: 2 counters that count wrong")
        #expect(fault.fix?.contains("podcastd check --repair") == true)
        let closed = library { () throws(LibraryError) in throw .readOnly("/l") }
        #expect(
            closed
                == .needsPerson(
                    "library", "cannot write /l",
                    fix: "check its permissions, and whether its disk has become read-only"))
    }

    @Test func aCacheThatCannotGrowOrHasOutgrownItsLimitIsTold() {
        func cache(_ usage: Int64, free: Int64?) -> CheckReply {
            StorageChecks.cache(folder: "/c", usage: usage << 20, limit: 1000 << 20, free: free.map { $0 << 20 })
        }
        #expect(cache(500, free: 600).outcome == .ok)
        #expect(cache(500, free: nil).outcome == .ok)
        #expect(cache(500, free: 400).outcome == .notice)
        #expect(cache(500, free: 400).fix?.hasSuffix("cache.size 700M") == true)
        #expect(cache(1200, free: 600).outcome == .ok)
        #expect(cache(1400, free: 600).outcome == .notice)
    }

    @Test func settingsThatWaitForARestartAreNamed() throws {
        var values = SettingsService.Values(settings: Settings(), atStart: Settings())
        try values.settings.set("playback.rebuffer", to: "9", from: .client)
        #expect(StorageChecks.settings(values, restart: "r").outcome == .ok)
        try values.settings.set("cache.size", to: "1G", from: .client)
        let found = StorageChecks.settings(values, restart: "restart it")
        #expect(found.finding.hasPrefix("cache.size: "))
        #expect(found.fix == "restart it")
    }

    // MARK: feeds

    private let now = Timestamp(year: 2026, month: 11, day: 21)

    private func feed(
        _ id: Int64, tried: Int64? = -600, succeeded: Int64? = -600, error: String? = nil,
        url: String = "https://example.org/feed"
    ) -> Feed {
        Feed(
            id: FeedID(id), url: url, title: "Feed \(id)", subscribed: now.adding(seconds: -40 * 86_400),
            health: FeedHealth(
                lastSuccess: succeeded.map { now.adding(seconds: $0) }, lastTry: tried.map { now.adding(seconds: $0) },
                error: error))
    }

    private func feeds(_ feeds: [Feed]) -> (refresh: CheckReply, failing: CheckReply) {
        let checks = FeedChecks(feeds: feeds, now: now, enablingTimer: "enable it")
        return (checks.refresh, checks.failing)
    }

    @Test func feedsThatNobodyLooksAtNeedAPerson() {
        #expect(feeds([]).refresh.outcome == .ok)
        #expect(feeds([feed(1)]).refresh.outcome == .ok)
        #expect(feeds([feed(1, tried: nil)]).refresh.outcome == .notice)
        #expect(
            feeds([feed(1, tried: -2 * 86_400)]).refresh
                == .needsPerson(
                    "refresh", "no feed was looked at since 2026-11-19T00:00:00Z", fix: "enable it"))
        #expect(feeds([feed(1, tried: 3 * 86_400)]).refresh.finding.contains("future"))
    }

    @Test func aFeedThatFailedOnceIsToldAndOneThatFailedForAWeekNeedsAPerson() {
        #expect(feeds([feed(1), feed(2)]).failing == .ok("feeds", "2 feeds"))
        let once = feeds([feed(1), feed(2, error: "no answer")]).failing
        #expect(once.outcome == .notice)
        #expect(once.finding == "1 of 2 failed last time; Feed 2: no answer")
        let gone = feeds([feed(1, error: "x"), feed(2, succeeded: -8 * 86_400, error: "410 Gone")]).failing
        #expect(gone.outcome == .needsPerson)
        #expect(gone.finding == "1 of 2 have failed for a week; Feed 2: 410 Gone")
        #expect(gone.fix?.hasPrefix("podcast-refresh explain 2") == true)
    }

    // MARK: network

    private struct Hosts: HostAsking {
        var answers: [String: HostAnswer] = [:]
        func ask(_ origins: [String], within seconds: Int) -> [HostAnswer] { origins.map { answers[$0] ?? .answered } }
    }

    private func network(_ urls: [String], _ answers: [String: HostAnswer] = [:], proxy: Bool = false) -> CheckReply {
        NetworkCheck(hosts: Hosts(answers: answers), usesProxy: proxy).reply(feeds: urls.map { feed(1, url: $0) })
    }

    @Test func aMachineWithoutNetworkIsToldInOneLine() {
        #expect(network([]).outcome == .ok)
        #expect(network(["https://a.example/x"]) == .ok("network", "https://a.example answered"))
        let offline = network(
            ["https://a.example/x"], ["https://a.example": .failed(.resolve, "Could not resolve host: a.example")])
        #expect(offline.outcome == .needsPerson)
        #expect(offline.finding == "https://a.example: Could not resolve host: a.example")
        #expect(offline.fix == "check the network and /etc/resolv.conf")
        let untrusted = network(["https://a.example/x"], ["https://a.example": .failed(.certificate, "expired")])
        #expect(untrusted.fix?.contains("ca-certificates") == true)
        let proxied = network(["https://a.example/x"], ["https://a.example": .failed(.connect, "refused")], proxy: true)
        #expect(proxied.fix == "check network.proxy")
    }

    @Test func oneHostOfSeveralThatFailsIsANotice() {
        let found = network(
            ["https://a.example/x", "https://b.example/y"], ["https://b.example": .failed(.timeout, "too late")])
        #expect(found.outcome == .notice)
        #expect(found.finding == "https://b.example: too late (1 of 2 answered)")
    }

    @Test func onlyHostsAreAskedAndNeverMoreThanThree() {
        #expect(
            NetworkCheck.origins(of: [
                "https://me:secret@A.example:8443/feed?token=1", "https://a.example:8443/other", "http://b.example",
                "ftp://c.example/", "https://d.example?x", "https://e.example/",
            ]) == ["https://a.example:8443", "http://b.example", "https://d.example"])
    }

    // MARK: decoder

    @Test func aDecoderThatDoesNotEndWellIsTold() {
        func decoder(_ status: TerminationStatus, _ words: String = "", isCut: Bool = false) -> CheckReply {
            DecoderCheck.judge(status, words: words, isCut: isCut)
        }
        #expect(decoder(.exited(0)).outcome == .ok)
        #expect(
            decoder(.exited(70), "podcast-decode: cannot confine itself\n").finding.hasSuffix("cannot confine itself"))
        #expect(decoder(.signaled(31)).finding.contains("its own filter"))
        #expect(decoder(.signaled(9), isCut: true).finding == "podcast-decode hangs")
        #expect(DecoderCheck.reply(executable: "/nonexistent/podcast-decode").outcome == .needsPerson)
    }
}
