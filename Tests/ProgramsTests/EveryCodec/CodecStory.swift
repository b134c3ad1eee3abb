import ControlClient
import ControlLanguage
import ControlProtocol
import Foundation
import LoopbackServer
import Playback
import PodcastModel
import SystemCalls
import Testing
import TestSupport

/// A restless listener: episodes of every codec, some of them broken, whose speed, sound and place change all the time.
final class CodecStory {
    private enum Act: String, CaseIterable {
        case play, seek, seekTwice, toTheEnd, speed, manySpeeds, pauses, loudness, voice, mono, skips, pause, longPause,
            next, sleep
    }

    struct Wrong: Error, CustomStringConvertible { var description: String }

    private let daemon: SimulatedDaemon
    private let client: DaemonConnection
    private let server: LoopbackServer
    private var endpoints: [LoopbackServer.Endpoint] = []
    private let files: CodecFiles
    private var numbers: SeededNumbers
    private var acts: [Act] = []
    private var count = 0
    private var looks = 0
    private(set) var listened = 0.0
    /// Whether the sound is changed so that a second of listening is not `speed` seconds of the episode.
    private var shortensPauses = false

    /// - Parameter seconds: length of each file.
    init(seed: UInt64, seconds: Double) throws {
        numbers = SeededNumbers(state: seed)
        let scratch = try Scratch()
        files = try CodecFiles(seconds: seconds, in: scratch.path, of: fixture("forty-seconds.mp3"))
        daemon = try SimulatedDaemon(in: scratch, device: SimulatedSink.Traits(delay: 0.1, canPause: seed % 2 == 0))
        server = try LoopbackServer()
        var items = ""
        for (index, file) in files.all.enumerated() {
            // Every type is declared wrongly, except that of MP3.
            endpoints.append(server.serve("/\(index)", .resource(Resource(file.bytes))))
            items += """
                <item><title>\(file.title).</title><guid>\(index)</guid>
                <enclosure url="\(server.url("/\(index)"))" type="audio/mpeg" length="1"/></item>
                """
        }
        let feed =
            "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>Codecs</title>\(items)</channel></rss>"
        endpoints.append(
            server.serve("/feed.xml", .resource(Resource(Array(feed.utf8), contentType: "application/rss+xml"))))
        client = try daemon.connect()
        try client.call(Subscribe { $0.urls = [server.url("/feed.xml")] })
    }

    var figures: MonthStory.Figures { MonthStory.Figures() }

    var summary: String { "\(Int(listened / 60)) min heard, \(count) acts, \(looks) looks" }

    /// Listens, changing one thing after another.
    func live(seconds: Double) throws {
        let enough = listened + seconds
        while listened < enough {
            if acts.isEmpty { acts = Act.allCases.shuffled(using: &numbers) }
            let act = acts.removeLast()
            do {
                try perform(act)
                try listen(Double.random(in: 0.2...20, using: &numbers))
            } catch let error as Wrong {
                throw Wrong(description: "after act \(count) (\(act)): \(error)")
            }
        }
    }

    func end() throws {
        daemon.stop()
        #expect(Processes.eventuallyNone(naming: daemon.cache))
    }

    private func perform(_ act: Act) throws {
        count += 1
        let duration = daemon.status.duration?.seconds ?? 0
        switch act {
        case .play: try playAny()
        case .seek: try seek(Double.random(in: 0..<0.9, using: &numbers) * duration)
        case .seekTwice:
            // Before the first one has an effect.
            for _ in 0..<4 { try seek(Double.random(in: 0..<0.9, using: &numbers) * duration) }
        case .toTheEnd: try seek(duration - 3)
        case .speed: try changeSpeed()
        case .manySpeeds:
            for _ in 0..<20 {
                try changeSpeed()
                try pass(0.1)
            }
        case .pauses:
            shortensPauses.toggle()
            try set("playback.silence", shortensPauses ? "yes" : "no")
        case .loudness: try set("playback.loudness", Bool.random(using: &numbers) ? "-16" : "off")
        case .voice: try set("playback.voice_boost", Bool.random(using: &numbers) ? "yes" : "no")
        case .mono: try set("playback.mono", Bool.random(using: &numbers) ? "yes" : "no")
        case .skips: try set("playback.skip_start", "\(Int.random(in: 0...5, using: &numbers))")
        case .pause, .longPause:
            guard daemon.status.state == .playing else { return }
            try client.call(Pause())
            try daemon.pass(seconds: Double.random(in: act == .pause ? 0...9 : 40...7200, using: &numbers))
            // The last episode of the queue may have ended just before the pause.
            if daemon.status.state == .paused { try client.call(Play()) }
        case .next: _ = try? client.call(PlayNext())
        case .sleep: _ = try? client.call(SetSleepTimer { $0.when = "1m" })
        }
    }

    private func playAny() throws {
        let file = try #require(files.all.randomElement(using: &numbers))
        // A timer that ends now would pause what begins.
        try client.call(SetSleepTimer { $0.when = "off" })
        // A file that cannot be played is refused.
        do { try client.call(Play { ($0.what, $0.position) = (file.title + ".", .absolute(.zero)) }) } catch {
            guard !file.isWhole else { throw Wrong(description: "\(file.title): \(error)") }
            return
        }
        try pass(1)
        guard file.isWhole else { return }
        let status = daemon.status
        guard status.state == .playing, status.title == file.title + "." else {
            throw Wrong(description: "\(file.title) is \(status.state), error: \(String(describing: status.error))")
        }
        let measured = status.duration?.seconds ?? 0
        guard abs(measured - files.seconds) < 3 else {
            throw Wrong(description: "\(file.title) has \(measured) s instead of \(files.seconds)")
        }
    }

    private func seek(_ seconds: Double) throws {
        guard daemon.status.state != .stopped, seconds > 0 else { return }
        _ = try? client.call(Seek { $0.time = .absolute(MediaTime(seconds: seconds)) })
    }

    private func changeSpeed() throws {
        try client.call(SetSpeed { $0.speed = Double(Int.random(in: 10...80, using: &numbers)) / 20 })
    }

    private func set(_ key: String, _ value: String) throws {
        try client.call(SetSetting { ($0.key, $0.value) = (key, value) })
    }

    // MARK: Listening

    private func listen(_ seconds: Double) throws {
        if daemon.status.state != .playing { try playAny() }
        // What was commanded has reached the device by then.
        try pass(min(1, seconds))
        var left = seconds - 1
        while left > 0 {
            let part = min(left, 5)
            left -= part
            let before = daemon.status
            try pass(part)
            try look(since: before, seconds: part)
        }
    }

    private func pass(_ seconds: Double) throws {
        try daemon.pass(seconds: seconds)
        listened += seconds
        _ = daemon.sink.takeHeard()
    }

    /// Fails if the position did not follow the sound.
    private func look(since before: PlayerStatus, seconds: Double) throws {
        let now = daemon.status
        guard before.state == .playing, now.state == .playing, before.entry == now.entry, before.title == now.title,
            let file = files.all.first(where: { $0.title + "." == now.title }), file.isWhole,
            // At the end the next episode is opened, which takes real time.
            now.position.seconds < (now.duration?.seconds ?? .infinity) - 0.01
        else { return }
        looks += 1
        let moved = now.position.seconds - before.position.seconds
        let heard = seconds * now.speed
        // libsonic rounds what it leaves out of a pitch period to whole samples; at 8 kHz it may keep seven of 7.9.
        let isRight = moved > heard * 0.87 - 0.2 && (shortensPauses || moved < heard * 1.13 + 0.2)
        guard isRight else {
            throw Wrong(
                description:
                    "\(file.title) went from \(before.position.seconds) to \(now.position.seconds) in \(seconds) s "
                    + "at speed \(now.speed)")
        }
    }
}
