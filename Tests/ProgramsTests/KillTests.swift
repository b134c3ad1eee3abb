import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import PodcastModel
import SystemCalls
import TestSupport
import Testing

/// kill -9 at random moments while it plays, seeks, edits the queue and refreshes.
///
/// `PODCASTD_KILLS` sets the number of moments, `PODCASTD_SEED` other ones; `scripts/soak kill 200` runs them.
@Suite(.ownThread, .timeLimit(.minutes(60)))
struct KillTests {
    @Test func nothingConfirmedIsLostAndNothingIsLeftBehind() throws {
        // On a machine that runs all tests at once a thread may be late with its second.
        let isAlone = Soak.number("PODCASTD_KILLS", unlessSet: 0) > 0
        let story = try KillStory(seed: UInt64(Soak.number("PODCASTD_SEED", unlessSet: 1)), limit: isAlone ? 1 : 5)
        let moments = Soak.number("PODCASTD_KILLS", unlessSet: 10)
        for moment in 1...moments { try story.run(moment) }
        print("\(moments) kills: \(story.summary)")
    }
}

/// How long the proofs run.
enum Soak {
    static func number(_ name: String, unlessSet value: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
    }
}

/// Calls a command, and repeats the call if another process held the library's write lock for longer than the daemon waits.
func edit(_ command: some Command, _ client: DaemonConnection) throws {
    do { try client.call(command) } catch let failure as ClientFailure {
        guard failure.refusal?.hint?.contains("Ctrl-Z") == true else { throw failure }
        try edit(command, client)
    }
}

private final class KillStory {
    private enum Victim: CaseIterable { case daemon, decoder, refresher }

    private let scratch: Scratch
    private let published: PublishedFeed
    private var numbers: SeededNumbers
    /// Ids of the queue's entries as last acknowledged.
    private var queue: [EntryID] = []
    /// Seconds of listening that a kill may cost.
    private let limit: Double
    private var kills: [Victim: Int] = [:]
    private var worst = 0.0

    init(seed: UInt64, limit: Double) throws {
        self.limit = limit
        numbers = SeededNumbers(state: seed)
        scratch = try Scratch()
        let audio = try fixture("forty-seconds.mp3")
        published = try PublishedFeed(episodes: (1...6).map { ("Episode \($0)", audio) })
        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect(subscribing: published.feed.url)
        try client.call(AddToQueue { ($0.what, $0.again) = (["Episode 1", "Episode 2", "Episode 3"], true) })
        queue = try ids(client)
        _ = daemon.stop()
    }

    var summary: String {
        let counts = Victim.allCases.map { "\($0) \(kills[$0] ?? 0)" }.joined(separator: ", ")
        return "\(counts); position at worst \((worst * 1000).rounded() / 1000) s behind"
    }

    /// One start, some acts, one kill, and a look at what is left.
    func run(_ moment: Int) throws {
        let daemon = try RunningDaemon(in: scratch)
        let process = daemon.process.processID
        let client = try daemon.connect()
        try expectEqual(ids(client), queue, "moment \(moment)")
        let refresher = try refresh(daemon)
        try client.watch([.player])
        let position = Int64.random(in: 0..<10, using: &numbers)
        try edit(Play { ($0.what, $0.position) = ("#1", .absolute(MediaTime(seconds: Double(position)))) }, client)
        try client.player(.playing)
        for _ in 0..<Int.random(in: 1...6, using: &numbers) { try act(client) }
        let victim = Victim.allCases.randomElement(using: &numbers) ?? .daemon
        kills[victim, default: 0] += 1
        switch victim {
        case .daemon: break
        case .decoder:
            for decoder in Processes.children(of: process, named: "podcast-decode") { kill(decoder, SIGKILL) }
            try act(client)
        case .refresher:
            refresher.signal(SIGKILL)
            try act(client)
        }
        let inFlight = try die(daemon, client)
        _ = refresher.wait()
        #expect(Processes.eventuallyNone(naming: scratch.path), "moment \(moment): a process is left over")
        try look(after: moment, inFlight)
    }

    // MARK: Acts

    /// What may or may not have been done when the daemon was killed.
    private struct InFlight {
        var queue: [EntryID]
        var isAdding: Bool
        /// The position heard when the daemon died, as a client estimates it; nil if no playback was expected.
        var heard: ClosedRange<Double>?
        var episode: String?
    }

    private func ids(_ client: DaemonConnection) throws -> [EntryID] {
        try client.call(ListQueue()).entries.map(\.id)
    }

    /// podcast-refresh as cron starts it.
    private func refresh(_ daemon: RunningDaemon) throws -> ChildProcess {
        try ChildProcess(
            Launch(
                Programs.path("podcast-refresh"), ["--data-dir", scratch.path + "/data", "--force", "--quiet"],
                environment: ["PATH=/usr/bin:/bin", "PODCASTD_SOCKET=\(daemon.socketPath)"]))
    }

    /// One act, acknowledged when this returns.
    private func act(_ client: DaemonConnection) throws {
        switch Int.random(in: 0..<7, using: &numbers) {
        case 0:
            let seconds = Double(Int.random(in: 0..<15, using: &numbers))
            try edit(Seek { $0.time = .absolute(MediaTime(seconds: seconds)) }, client)
        case 1:
            let number = Int.random(in: 1...6, using: &numbers)
            try edit(AddToQueue { ($0.what, $0.again) = (["Episode \(number)"], true) }, client)
        case 2 where queue.count > 3: try edit(RemoveFromQueue { $0.what = ["#\(queue.count)"] }, client)
        case 3: try edit(MoveInQueue { ($0.from, $0.to) = ("#2", queue.count) }, client)
        case 4 where queue.count > 3:
            try edit(RemoveFromQueue { $0.what = ["#\(queue.count - 1)"] }, client)
            try edit(Undo(), client)
        case 5: try edit(StarEpisodes { $0.what = ["Episode 2"] }, client)
        default:
            // Some listening: until what is heard has moved on.
            let start = try client.call(GetStatus()).player.position?.seconds ?? 0
            let enough = start + Double.random(in: 0.1...1.6, using: &numbers)
            while let player = Optional(try client.call(GetStatus()).player), player.state == .playing,
                let position = player.position?.seconds, position < enough
            {}
        }
        queue = try ids(client)
    }

    /// Kills the daemon during an edit whose reply is not awaited.
    private func die(_ daemon: RunningDaemon, _ client: DaemonConnection) throws -> InFlight {
        let player = try client.call(GetStatus()).player
        var inFlight = InFlight(queue: queue, isAdding: false, heard: nil, episode: player.episode?.title)
        switch Int.random(in: 0..<3, using: &numbers) {
        case 0:
            inFlight.isAdding = true
            client.begin(AddToQueue { ($0.what, $0.again) = (["Episode 4"], true) })
        case 1:
            inFlight.queue.append(inFlight.queue.remove(at: 1))
            client.begin(MoveInQueue { [count = queue.count] in ($0.from, $0.to) = ("#2", count) })
        default: client.begin(GetStatus())
        }
        // Not a wait for an event: the kill comes at a random moment within the edit.
        usleep(UInt32.random(in: 0..<4_000, using: &numbers))
        let from = player.position(at: .now)?.seconds
        daemon.kill()
        let to = player.position(at: .now)?.seconds
        if [.playing, .paused].contains(player.state), let from, let to { inFlight.heard = from...max(from, to) }
        return inFlight
    }

    // MARK: What is left

    private func look(after moment: Int, _ inFlight: InFlight) throws {
        let check = try Programs.run("podcastd", RunningDaemon.places(scratch) + ["check"])
        expectEqual(check.status, 0, "moment \(moment): \(check.output)\(check.errors)")
        let known: Set = [
            "library.db", "library.db-wal", "library.db-shm", "library.db-turn", "library.db-attempt", "library.lock",
            "refresh.lock", "session", "session.new",
        ]
        let files = try FileManager.default.contentsOfDirectory(atPath: scratch.path + "/data")
        #expect(Set(files).isSubset(of: known), "moment \(moment): \(files)")

        let daemon = try RunningDaemon(in: scratch)
        let client = try daemon.connect()
        let found = try ids(client)
        let isAsAcknowledged =
            found == queue || found == inFlight.queue
            || inFlight.isAdding && found.count == queue.count + 1 && found.starts(with: queue)
        #expect(isAsAcknowledged, "moment \(moment): \(found), acknowledged was \(queue)")
        queue = found
        if let heard = inFlight.heard, let title = inFlight.episode {
            let saved = try client.call(ShowEpisode { $0.episode = title }).episode.episode.state.position.seconds
            worst = max(worst, heard.lowerBound - saved)
            let isLikely = saved > heard.lowerBound - limit && saved < heard.upperBound + 0.1
            #expect(isLikely, "moment \(moment): \(saved) saved, \(heard) heard")
        }
        expectEqual(daemon.stop(), .exited(0))
        #expect(!FileManager.default.fileExists(atPath: daemon.socketPath))
    }
}

/// Processes of this machine.
enum Processes {
    /// Children of a process with a name; with any for nil.
    static func children(of parent: Int32, named name: String? = nil) -> [Int32] {
        all().filter { process in
            guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
            let rest = stat.split(separator: ")").last?.split(separator: " ") ?? []
            return name.map { stat.contains("(\($0))") } != false && rest.count > 1 && Int32(rest[1]) == parent
        }
    }

    /// Whether all processes that name a path, on their command lines or by an open file, are gone within two minutes.
    static func eventuallyNone(naming path: String) -> Bool {
        let end = Instant.now + .seconds(120)
        while .now < end {
            if !all().contains(where: { $0 != getpid() && names(path, $0) }) { return true }
            // The end of other processes and their open files is not reported, so it is polled.
            usleep(10_000)
        }
        return false
    }

    private static func all() -> [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
    }

    private static func names(_ path: String, _ process: Int32) -> Bool {
        let line = (try? Data(contentsOf: URL(filePath: "/proc/\(process)/cmdline"))) ?? Data()
        if line.range(of: Data(path.utf8)) != nil { return true }
        let folder = "/proc/\(process)/fd"
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return descriptors.contains { descriptor in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)"))?.hasPrefix(path)
                == true
        }
    }
}
