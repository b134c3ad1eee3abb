@testable import DaemonCore
import AudioOutput
import Foundation
import HTTP
import Library
import PodcastModel
import Reporting
import SystemCalls
import TestSupport
import Testing

// Findings of the daemon about parts that the test makes up.
@Suite struct DaemonHealthTests {
    private let inUse = OutputCondition.unusable(.inUse, "in use by another program", fix: "find it")

    private func output(
        _ condition: OutputCondition, of text: String = "alsa", isInUse: Bool = false
    ) throws -> Finding {
        let name = try OutputSpecification(parsing: text).name
        let setups = [OutputSetup(name, text), OutputSetup("off", text, isEnabled: false)]
        return OutputChecks.outputs(states(setups, isInUse ? .ready : .idle)) { _ in condition }
    }

    private func states(_ setups: [OutputSetup], _ phase: OutputPhase, _ reason: String? = nil) -> [OutputState] {
        setups.map { setup in
            var state = OutputState(setup)
            state.phase = phase
            state.reason = reason
            return state
        }
    }

    @Test func oneOfSeveralOutputsIsNamedIfItCannotBeUsed() throws {
        let outputs = ["null", "alsa"].map { OutputSetup("the \($0)", $0) }
        let finding = OutputChecks.outputs(states(outputs, .idle)) { $0.kind == .null ? .usable : inUse }
        expectEqual(finding, .problem("the alsa (alsa:default): in use by another program", fix: "find it"))
        expectEqual(OutputChecks.outputs([]) { _ in .usable }.severity, .notice)
        let failed = OutputChecks.outputs(states(outputs, .failed, "no device gone")) { _ in .usable }
        #expect(failed.severity == .problem && failed.text.contains("no device gone"), "\(failed)")
    }

    @Test func anOutputThatCannotBeUsedSaysWhyAndWhatToDo() throws {
        try expectEqual(output(.usable).severity, .ok)
        try expectEqual(
            output(.unusable(.other, "broken", fix: "repair it")),
            .problem("alsa:default: broken", fix: "repair it"))
        try expectEqual(output(.usable, of: "null").text, "null is available; it plays silently")
        try expectEqual(output(inUse, isInUse: true), .ok("alsa:default is in use by podcastd"))
    }

    @Test func cardsAreCountedAndThoseInUseNamed() {
        func cards(_ first: OutputCondition, _ second: OutputCondition) -> Finding {
            OutputChecks.cards([("hw:CARD=A,DEV=0", first), ("hw:CARD=B,DEV=0", second)])
        }
        expectEqual(OutputChecks.cards([]), .ok("none"))
        expectEqual(cards(.usable, .usable), .ok("2 found: hw:CARD=A,DEV=0, hw:CARD=B,DEV=0"))
        #expect(cards(.usable, inUse).text.hasSuffix("in use: hw:CARD=B,DEV=0"))
        let closed = OutputCondition.unusable(.forbidden, "x", fix: "y")
        expectEqual(cards(closed, closed).severity, .notice)
    }

    @Test func aLibraryThatWasRemovedOrReplacedUnderTheDaemonIsAProblem() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/library.db"
        let store = try LibraryStore(path: path)
        func moved() -> Finding? { StorageChecks.moved(path, opened: store.file, restart: "restart podcastd") }
        expectEqual(moved(), nil)
        let backup = try BackupFolder(beside: path).write(at: Timestamp(seconds: 0))
        try FileManager.default.removeItem(atPath: path)
        expectEqual(
            moved(),
            .problem(
                "\(path) was removed while podcastd has the old one open: changes are lost when podcastd exits",
                fix: "restore a library, for example \(backup.path), and restart podcastd"))
        try FileManager.default.moveItem(atPath: backup.path, toPath: path)
        #expect(moved()?.text.hasPrefix("\(path) was replaced while podcastd") == true)
        #expect(moved()?.fix?.contains("restart podcastd") == true)
    }

    @Test func aDamagedLibraryIsAProblem() {
        expectEqual(StorageChecks.library("/l", []), .ok("/l is undamaged"))
        let fault = StorageChecks.library("/l", [Finding("counters", .problem, "2 wrong counters")])
        expectEqual(fault.severity, .problem)
        expectEqual(fault.text, "/l is damaged: counters: 2 wrong counters")
        expectEqual(fault.fix?.contains("podcastd check --repair"), true)
    }

    @Test func aCacheThatCannotGrowOrExceedsItsLimitIsANotice() {
        func cache(_ usage: Int64, free: Int64?) -> Finding {
            StorageChecks.cache(folder: "/c", usage: usage << 20, limit: 1000 << 20, free: free.map { $0 << 20 })
        }
        expectEqual(cache(500, free: 600).severity, .ok)
        expectEqual(cache(500, free: nil).severity, .ok)
        expectEqual(cache(500, free: 400).severity, .notice)
        expectEqual(cache(500, free: 400).fix?.hasSuffix("cache.size 700M"), true)
        expectEqual(cache(1200, free: 600).severity, .ok)
        expectEqual(cache(1400, free: 600).severity, .notice)
    }

    @Test func settingsThatWaitForARestartAreNamed() {
        expectEqual(StorageChecks.settings(waiting: [], restart: "r").severity, .ok)
        let ignored = StorageChecks.settings(
            waiting: [], ignored: ["a.conf:2: unknown"], restart: "r", reload: "reload it")
        #expect(ignored.severity == .notice && ignored.text == "a.conf:2: unknown")
        expectEqual(ignored.fix, "correct or remove this line, then reload it")
        let found = StorageChecks.settings(waiting: ["cache.size"], restart: "restart it")
        #expect(found.text.hasPrefix("cache.size: "))
        expectEqual(found.fix, "restart it")
    }

    // MARK: feeds

    private let now = Timestamp(year: 2026, month: 11, day: 21)

    private func feed(
        _ id: Int64, tried: Int64? = -600, succeeded: Int64? = -600, error: String? = nil
    ) -> Feed {
        var feed = Feed(
            id: FeedID(id), url: "https://example.org/feed", title: "Feed \(id)",
            subscribed: now.adding(seconds: -40 * 86_400))
        feed.health.lastSuccess = succeeded.map { now.adding(seconds: $0) }
        feed.health.lastTry = tried.map { now.adding(seconds: $0) }
        feed.health.error = error
        return feed
    }

    private func feeds(_ feeds: [Feed]) -> (refresh: Finding, failing: Finding) {
        let checks = FeedChecks(feeds: feeds, now: now, enablingTimer: "enable it")
        return (checks.refresh, checks.failing)
    }

    @Test func feedsThatNobodyLooksAtNeedAPerson() {
        expectEqual(feeds([]).refresh.severity, .ok)
        expectEqual(feeds([feed(1)]).refresh.severity, .ok)
        expectEqual(feeds([feed(1, tried: nil)]).refresh.severity, .notice)
        expectEqual(
            feeds([feed(1, tried: -2 * 86_400)]).refresh,
            .problem(
                "the last refresh was 2 days ago", fix: "enable it"))
        expectContains(feeds([feed(1, tried: 3 * 86_400)]).refresh.text, "future")
    }

    @Test func aFeedThatFailedOnceIsToldAndOneThatFailedForAWeekNeedsAPerson() {
        expectEqual(feeds([feed(1), feed(2)]).failing, .ok("2 feeds"))
        let once = feeds([feed(1), feed(2, error: "no answer")]).failing
        expectEqual(once.severity, .notice)
        expectEqual(once.text, "1 of 2 failed at the last refresh; Feed 2: no answer")
        let gone = feeds([feed(1, error: "x"), feed(2, succeeded: -8 * 86_400, error: "410 Gone")]).failing
        expectEqual(gone.severity, .problem)
        expectEqual(gone.text, "1 of 2 have failed for a week; Feed 2: 410 Gone")
        expectEqual(gone.fix?.hasPrefix("podcast-refresh explain f2"), true)
    }

    // MARK: network

    private func network(_ urls: [String], _ errors: [String: HTTPError] = [:], proxy: Bool = false) -> Finding {
        NetworkCheck.finding(NetworkCheck.origins(of: urls).map { ($0, errors[$0]) }, usesProxy: proxy)
    }

    @Test func aMachineWithoutNetworkIsToldInOneLine() {
        expectEqual(network([]).severity, .ok)
        expectEqual(network(["https://a.example/x"]), .ok("https://a.example answered"))
        let offline = network(
            ["https://a.example/x"], ["https://a.example": HTTPError(.resolve, "Could not resolve host: a.example")])
        expectEqual(offline.severity, .problem)
        expectEqual(offline.text, "https://a.example: Could not resolve host: a.example")
        expectEqual(offline.fix, "check the network and /etc/resolv.conf")
        let untrusted = network(["https://a.example/x"], ["https://a.example": HTTPError(.certificate, "expired")])
        expectEqual(untrusted.fix?.contains("ca-certificates"), true)
        let proxied = network(
            ["https://a.example/x"], ["https://a.example": HTTPError(.connect, "refused")], proxy: true)
        expectEqual(proxied.fix, "check network.proxy")
    }

    @Test func oneHostOfSeveralThatFailsIsANotice() {
        let found = network(
            ["https://a.example/x", "https://b.example/y"], ["https://b.example": HTTPError(.timeout, "too late")])
        expectEqual(found.severity, .notice)
        expectEqual(found.text, "https://b.example: too late (1 of 2 answered)")
    }

    @Test func onlyHostsAreAskedAndNeverMoreThanThree() {
        expectEqual(
            NetworkCheck.origins(of: [
                "https://me:secret@A.example:8443/feed?token=1", "https://a.example:8443/other", "http://b.example",
                "ftp://c.example/", "https://d.example?x", "https://e.example/",
            ]), ["https://a.example:8443", "http://b.example", "https://d.example"])
    }

    // MARK: decoder

    @Test func aDecoderThatDoesNotEndWellIsTold() {
        func decoder(_ status: TerminationStatus, _ words: String = "", isCut: Bool = false) -> Finding {
            DecoderCheck.judge("podcast-decode", status, words: words, isCut: isCut)
        }
        expectEqual(decoder(.exited(0)).severity, .ok)
        #expect(
            decoder(.exited(70), "podcast-decode: cannot confine itself\n").text.hasSuffix("cannot confine itself"))
        expectContains(decoder(.signaled(31)).text, "its own system call filter")
        expectEqual(decoder(.signaled(9), isCut: true).text, "podcast-decode hangs")
        expectEqual(DecoderCheck.finding(executable: "/nonexistent/podcast-decode").severity, .problem)
        expectEqual(
            DecoderCheck.finding(executable: "/nonexistent/podcast-decode-av"),
            .notice("podcast-decode-av is not installed", fix: "install podcastd-codecs"))
    }

    @Test func downloadsThatAreMissingAreCountedWithWhatToType() {
        expectEqual(StorageChecks.downloads(missing: 0).severity, .ok)
        let finding = StorageChecks.downloads(missing: 12)
        expectEqual(finding.text, "12 episodes not on disk yet")
        expectContains(finding.fix ?? "", "podcastctl download EPISODE")
    }

    @Test func accountsThatDoNotSynchronizeAreNamedWithWhatToDo() {
        func finding(_ states: SyncAccount.State...) -> Finding {
            let accounts = states.map { state in
                var account = SyncAccount()
                account.name = "home"
                account.state = state
                account.message = state == .refused ? "does not know the key" : nil
                return account
            }
            return SyncChecks.accounts(accounts, devices: 2, start: "start podcast-sync")
        }
        expectEqual(finding(), .ok("0 accounts, 2 devices"))
        expectEqual(finding(.idle, .running), .ok("2 accounts, 2 devices"))
        expectEqual(
            finding(.idle, .refused), .problem("home: does not know the key", fix: "then: podcastctl sync now"))
        expectEqual(
            finding(.off), .notice("home is not synchronized: podcast-sync does not run", fix: "start podcast-sync"))
        expectEqual(
            finding(.asking),
            .notice("home waits for your consent", fix: "podcastctl sync try, then podcastctl sync now"))
    }

    @Test func importedEpisodesThatStillWaitAreNamed() {
        expectEqual(
            StorageChecks.imports([("One", "A"), ("Two", "B")], of: 9).text,
            "not in their feeds so far: 'One' of A, 'Two' of B, and 7 more; what was imported waits for them")
        expectEqual(StorageChecks.imports([], of: 0).text, "no imported episode is missing")
    }
}
