import AudioOutput
import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import Glibc
import LoopbackServer
import MachineSupport
import Playback
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// What a listener does from day to day: new episodes come, some of them over bad lines, and are played, paused, sought in
/// and left.
final class MonthStory {
    /// What the process holds.
    struct Figures: CustomStringConvertible {
        var residentBytes = ProcessFigures.residentBytes
        var allocatedBytes = ProcessFigures.allocatedBytes
        var descriptors = ProcessFigures.openDescriptors
        var threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
        var processes = Processes.children(of: getpid()).count

        var description: String {
            "\(residentBytes >> 10) KiB resident, \(allocatedBytes >> 10) KiB allocated, \(descriptors) descriptors, "
                + "\(threads) threads, \(processes) child processes"
        }
    }

    private enum Act: String, CaseIterable {
        case listen, pause, longPause, seek, jumpBack, next, refresh, star, note, move
    }

    private let daemon: SimulatedDaemon
    private let client: DaemonConnection
    private let host: EpisodeHost
    private let audio: RepeatedAudio
    private let dailySeconds: Double
    private var heard: HeardFrames
    private var numbers: SeededNumbers
    /// The next acts; each act occurs as often as the others.
    private var acts: [Act] = []
    private var counts: [Act: Int] = [:]
    private var looks = 0
    private var stalls = 0
    private var silentLooks = 0
    private var listened = 0.0

    init(seed: UInt64, dailySeconds: Double) throws {
        numbers = SeededNumbers(state: seed)
        self.dailySeconds = dailySeconds
        audio = try RepeatedAudio()
        heard = HeardFrames(audio)
        daemon = try SimulatedDaemon(
            in: try Scratch(), device: SimulatedSink.Traits(delay: 0.1, canPause: seed % 2 == 0))
        host = try EpisodeHost(audio: audio, network: daemon.network)
        client = try daemon.connect()
        host.publish(1, numbers: &numbers)
        try client.call(Subscribe { $0.urls = [host.feed] })
    }

    var figures: Figures { Figures() }

    var summary: String {
        let acts = Act.allCases.map { "\($0.rawValue) \(counts[$0] ?? 0)" }.joined(separator: ", ")
        return "\(Int(listened / 60)) min heard, \(heard.checked) frames right; \(looks) positions right; "
            + "\(host.resets) connections reset, \(stalls) stalls; \(acts)"
    }

    /// One day: news in the morning, then listening until it is enough.
    func live() throws {
        host.publish(4, numbers: &numbers)
        try client.call(RefreshFeeds { $0.isForced = true })
        let enough = listened + dailySeconds
        while listened < enough {
            try keepQueueFilled()
            if daemon.status.state != .playing { try play() }
            if acts.isEmpty { acts = Act.allCases.shuffled(using: &numbers) }
            try perform(acts.removeLast())
            try listen(Double.random(in: 20...400, using: &numbers))
        }
        try pause()
        // An answer that still waits has a thread and a connection of the host's, which is in this process.
        host.letGoOn()
        try daemon.pass(seconds: 9 * 3600)
    }

    func end() throws {
        daemon.stop()
        // Decoders of other tests run in this process, too; this daemon's have its cache's files open.
        #expect(Processes.eventuallyNone(naming: daemon.cache))
    }

    // MARK: Acts

    private func perform(_ act: Act) throws {
        counts[act, default: 0] += 1
        let (duration, position) = (daemon.status.duration?.seconds ?? 0, daemon.status.position.seconds)
        switch act {
        case .listen: break
        case .pause, .longPause:
            try pause()
            // A short one leaves the sink open; a long one closes sink and connection.
            try daemon.pass(seconds: Double.random(in: act == .pause ? 0...9 : 40...7200, using: &numbers))
            try client.call(TogglePlayback())
        case .seek:
            guard duration > 300 else { return }
            let seconds = Double(Int.random(in: 0..<Int(duration) - 200, using: &numbers))
            try jump(Seek { $0.time = .absolute(MediaTime(seconds: seconds)) })
        case .jumpBack:
            guard position > 40, duration - position > 200 else { return }
            try jump(Seek { $0.time = .relative(MediaTime(seconds: -30)) })
        case .next:
            guard duration - position > 200 else { return }
            try jump(PlayNext())
        case .refresh: try client.call(RefreshFeeds { $0.isForced = true })
        case .star: try client.call(StarEpisodes { $0.what = [title] })
        case .note: try client.call(NoteEpisode { ($0.episode, $0.text) = (title, "heard \(position)") })
        case .move:
            let length = try client.call(ListQueue()).extent.length
            try client.call(MoveInQueue { ($0.from, $0.to) = ("#\(length)", length - 1) })
        }
    }

    private var title: String { daemon.status.title ?? "" }

    private func play() throws {
        try jump(Play())
        try listen(1)
    }

    /// Pauses; the position is exact and on disk then.
    private func pause() throws {
        guard daemon.status.state != .stopped else { return }
        let isHeard = daemon.status.state == .playing
        try client.call(Pause())
        daemon.settle()
        try takeHeard()
        guard isHeard else { return }
        try look(daemon.status)
        let saved = try client.call(ShowEpisode { $0.episode = title }).episode.episode.state.position.seconds
        // The library keeps whole milliseconds; their difference is not exact in binary.
        #expect(abs(saved - daemon.status.position.seconds) < 0.001_1)
    }

    /// A command after which sound comes from elsewhere.
    private func jump(_ command: some Command) throws {
        try takeHeard()
        try client.call(command)
        heard.jump()
        daemon.settle()
        // The first sound is on its way through the device.
        for _ in 0..<10 { try listen(0.1) }
    }

    /// Lets time pass and looks once a minute.
    private func listen(_ seconds: Double) throws {
        var left = seconds
        while left > 0 {
            let part = min(left, 50)
            left -= part
            listened += part
            try daemon.pass(seconds: part)
            try takeHeard()
            // One answer: the player may notice in between that its buffer is empty.
            let status = daemon.status
            if status.state == .playing { try look(status) }
            try endSilence()
        }
    }

    private func takeHeard() throws {
        let bytes = daemon.sink.takeHeard()
        try heard.hear(bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) })
    }

    private func look(_ status: PlayerStatus) throws {
        looks += 1
        do {
            try heard.look(
                at: status.position.seconds * Double(RepeatedAudio.rate),
                end: host.frames(of: try #require(status.title)))
        } catch let mismatch as HeardFrames.Mismatch {
            throw HeardFrames.Mismatch(description: "\(mismatch.description); \(daemon.circumstances(of: status))")
        }
    }

    /// Lets a silent host speak again once the listener has noticed, or after a while.
    private func endSilence() throws {
        guard host.isSilent else { return }
        silentLooks += 1
        let isNoticed = daemon.status.state == .buffering && daemon.status.bufferSeconds == 0
        guard isNoticed || silentLooks > 20 else { return }
        if isNoticed { stalls += 1 }
        silentLooks = 0
        host.letGoOn()
    }

    /// Keeps some entries after the one that plays: new ones as long as there are any.
    private func keepQueueFilled() throws {
        let queue = try client.call(ListQueue())
        let (length, index) = (queue.extent.length, queue.extent.index ?? 0)
        if index > 20 { try client.call(RemoveFromQueue { $0.what = ["#1", "#2", "#3", "#4", "#5"] }) }
        guard length - index < 4 else { return }
        let titles = host.titles(4, numbers: &numbers)
        try client.call(AddToQueue { ($0.what, $0.again) = (titles, true) })
    }
}
