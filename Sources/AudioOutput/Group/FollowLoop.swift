internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// The work of a follower's thread: carries out the machine's activities.
final class FollowLoop {
    private let lane: OutputLane
    private let clock: any OutputClock
    private let anchor: Mutexed<GroupAnchor?>
    private let settings: RendererSettings
    private let wakeUp: EventDescriptor

    private var machine = FollowMachine()
    private var alignment = LaneAlignment()
    private var feed: LaneFeed?
    /// Whether the sink plays silence, so that its latency is known.
    private var isPrimed = false
    private var primedInstant = Instant.distantPast
    /// Number of pieces of silence written because the sink was empty and did not know its latency.
    private var additions = 0
    /// When the sound began to come into step.
    private var beginning: Instant?
    /// Whether the sink had nothing to play when frames were missing.
    private var hasRunDry = false
    /// What is left of the feed before, which is played first.
    private var earlier: LaneFeed?
    /// The time of sound to leave out, or to repeat if negative.
    private var correction = Duration.zero
    private var retryInstant: Instant?
    private var writes = 0
    /// Bytes to write before the next frames of the feed: silence, or a corrected place.
    private var scrap: [UInt8] = []

    init(
        _ lane: OutputLane, clock: any OutputClock, anchor: Mutexed<GroupAnchor?>, settings: RendererSettings,
        wakeUp: EventDescriptor
    ) {
        self.lane = lane
        self.clock = clock
        self.anchor = anchor
        self.settings = settings
        self.wakeUp = wakeUp
    }

    /// - Parameter isFree: whether no command waits.
    func run(_ takeCommands: () -> Follower.Commands, while isFree: () -> Bool) {
        while true {
            wakeUp.clear()
            let commands = takeCommands()
            if commands.ends { return end(keepsOpen: commands.keepsOpen) }
            if commands.playsToTheEnd { playToTheEnd(while: isFree) }
            execute(commands)
            follow()
            switch machine.activity {
            case .rest: wait(until: .distantFuture)
            case .open: open()
            case .start: start()
            case .play: play()
            case .retry(let attempt): retry(attempt)
            }
        }
    }

    private func end(keepsOpen: Bool) {
        lane.isFollowing = false
        if keepsOpen, machine.phase == .playing {
            // A corrected place, which the feed no longer has.
            _ = try? writeScrap()
            return
        }
        lane.close()
        lane.report(.idle)
    }

    private func execute(_ commands: Follower.Commands) {
        if let isPaused = commands.isPaused { handle(isPaused ? .pause : .resume) }
        if let feed = commands.feed {
            earlier = machine.phase == .playing && feed != nil ? self.feed : nil
            self.feed = feed
            retryInstant = nil
            handle(feed == nil ? .noFeed : .feed)
        }
    }

    /// Follows what was removed from the group.
    private func follow() {
        switch feed?.update() {
        case nil, .some(.none): break
        case .dropped: handle(.lost)
        // In other phases the sink has only silence.
        case .removed(let count): if machine.phase == .playing { lane.replace(count) }
        }
    }

    private func handle(_ event: FollowMachine.Event) {
        switch machine.handle(event) {
        case .none: break
        case .drop:
            if lane.isOpen { feed?.keep(unheard: lane.latency) }
            lane.drop()
            begin()
        case .close:
            lane.close()
            begin()
        }
        lane.isFollowing = machine.phase == .playing
        switch machine.phase {
        case .idle: lane.report(.idle)
        case .opening, .starting: if lane.report.phase != .failed { lane.report(.opening) }
        case .playing: lane.report(.ready)
        case .retrying, .broken: break
        }
    }

    private func begin() {
        feed?.rewind()
        isPrimed = false
        beginning = nil
        hasRunDry = false
        earlier = nil
        writes = 0
        scrap = []
        correction = .zero
        additions = 0
        alignment.begin()
    }

    private func fail(_ error: SinkError) {
        lane.report(.failed, error.message)
        handle(.failed(error))
    }

    private func open() {
        guard let feed else { return handle(.noFeed) }
        do throws(SinkError) {
            if lane.isOpen {
                guard try playEarlier() else { return }
                try lane.drain()
            }
            _ = try lane.open(feed.format, adopts: false)
            begin()
            handle(.opened)
        } catch { fail(error) }
    }

    /// The group closes when the leading output has nothing to play, and this one may be heard later.
    private func playToTheEnd(while isFree: () -> Bool) {
        follow()
        guard machine.phase == .playing, !machine.isPaused else { return }
        earlier = feed
        let limit = clock.now + Self.patience
        do throws(SinkError) {
            // Commands interrupt the sink, also the one that has brought this here.
            while isFree(), clock.now < limit, earlier != nil || lane.latency > 0 {
                if try playEarlier() { try lane.drain() }
            }
        } catch { fail(error) }
    }

    /// - Returns: false if interrupted.
    private func playEarlier() throws(SinkError) -> Bool {
        guard let feed = earlier else { return true }
        _ = feed.update()
        while feed.hasFrames {
            let taken = try lane.write(feed.frames(limit: feed.format.rate))
            if taken == 0 { return false }
            feed.advance(taken / feed.format.frameSize)
        }
        earlier = nil
        return true
    }

    private func retry(_ attempt: Int) {
        let instant = retryInstant ?? clock.now + settings.retryDelay(attempt)
        retryInstant = instant
        guard clock.now >= instant else { return wait(until: instant) }
        retryInstant = nil
        handle(.retry)
    }

    private func wait(until instant: Instant) { clock.wait(readable: wakeUp.raw, until: instant) }

    // MARK: Playing

    /// Plays silence, or leaves out frames, until the next frame is heard when it is due.
    private func start() {
        guard let feed, feed.hasFrames else {
            isPrimed = false
            return wait(until: .distantFuture)
        }
        let rate = feed.format.rate
        do throws(SinkError) {
            guard try writeScrap() else { return }
            guard isPrimed else { return prime(rate) }
            if lane.sink.latency == 0, additions < Self.mostAdditions {
                additions += 1
                return silence(Int(PacedBuffer.frames(in: Self.tick, rate: rate)))
            }
            guard let anchor = anchor.get() else { return wait(until: clock.now + Self.tick) }
            let early = anchor.instant(of: feed.position) + lane.delay - heardInstant(rate)
            if clock.now < primedInstant {
                wait(until: primedInstant)
            } else if early > Self.exactness {
                silence(min(rate, Int(PacedBuffer.frames(in: early, rate: rate))))
            } else if early < .zero - Self.exactness {
                // Skips frames that are there.
                let late = Int(PacedBuffer.frames(in: .zero - early, rate: rate))
                feed.advance(feed.frames(limit: late).count / feed.format.frameSize)
                feed.keep(unheard: 0)
            } else {
                handle(.aligned)
            }
        } catch { fail(error) }
    }

    /// Plays silence, so that the sink's latency is known: at once, or after the time in which the sink learns it.
    private func prime(_ rate: Int) {
        let time = lane.sink.learningTime
        silence(Int(PacedBuffer.frames(in: time + Self.tick, rate: rate)))
        primedInstant = clock.now + time
        beginning = beginning ?? clock.now
        isPrimed = true
        if let beginning, clock.now > beginning + Self.patience {
            lane.report(
                .failed,
                "its sound comes later than that of the others; give them a delay: podcastctl output delay NAME 500ms",
                isLate: true)
        }
    }

    private static let tick = Duration.milliseconds(20)
    /// One second of silence: a rate conversion delays the first pieces of the silence, and some sinks never report a latency.
    private static let mostAdditions = 50
    /// How exactly a sound begins.
    private static let exactness = Duration.milliseconds(1)
    /// The time in which a sound should come into step.
    private static let patience = Duration.seconds(5)

    /// When the next frame that is written will be heard.
    private func heardInstant(_ rate: Int) -> Instant {
        clock.now + PacedBuffer.duration(of: Int64(lane.latency), rate: rate)
    }

    private func silence(_ frames: Int) {
        if let feed { scrap = Array(repeating: 0, count: frames * feed.format.frameSize) }
    }

    /// - Returns: false if interrupted; the rest is written by the next call.
    private func writeScrap() throws(SinkError) -> Bool {
        while !scrap.isEmpty {
            let written = scrap.withUnsafeBytes { bytes in Result { () throws(SinkError) in try lane.write(bytes) } }
            let taken = try written.get()
            if taken == 0 { return false }
            scrap.removeFirst(taken)
        }
        return true
    }

    private func play() {
        guard let feed else { return handle(.noFeed) }
        guard feed.hasFrames else {
            feed.keep(unheard: lane.latency)
            hasRunDry = hasRunDry || lane.latency == 0
            return wait(until: .distantFuture)
        }
        if hasRunDry { return handle(.lost) }
        do throws(SinkError) {
            if correction != .zero { correct(feed) }
            guard try writeScrap(), feed.hasFrames else { return }
            let period = Int(PacedBuffer.frames(in: settings.period, rate: feed.format.rate))
            let frames = feed.frames(limit: period)
            let left = lane.leaveOut(frames.count / feed.format.frameSize)
            let taken = left > 0 ? left : try lane.write(frames) / feed.format.frameSize
            guard taken > 0 else { return }
            feed.advance(taken)
            feed.keep(unheard: lane.latency)
            writes += 1
            if writes == 20 { handle(.steady) }
            align(feed)
        } catch { fail(error) }
    }

    private func align(_ feed: LaneFeed) {
        guard let anchor = anchor.get() else { return }
        let rate = feed.format.rate
        let late = heardInstant(rate) - (anchor.instant(of: feed.position) + lane.delay)
        switch alignment.isLate(by: late) {
        case .none: break
        case .restart: handle(.lost)
        case .correct(let time): correction = time
        }
    }

    /// Leaves frames out, or repeats them, once enough of them are there; the sound fades from one place to the other.
    private func correct(_ feed: LaneFeed) {
        let time = correction < .zero ? .zero - correction : correction
        let count = Int(PacedBuffer.frames(in: time, rate: feed.format.rate))
        let frames = feed.frames(limit: 2 * count)
        guard frames.count == 2 * count * feed.format.frameSize else { return }
        scrap = CrossFade(feed.format).corrected(frames, count, leavesOut: correction > .zero)
        feed.advance(2 * count)
        correction = .zero
        alignment.begin()
    }
}

/// Joins two places of a sound.
struct CrossFade {
    private let format: PCMFormat
    init(_ format: PCMFormat) { self.format = format }

    /// - Parameter frames: twice as many as are left out or repeated.
    func corrected(_ frames: UnsafeRawBufferPointer, _ count: Int, leavesOut: Bool) -> [UInt8] {
        let samples = 2 * count * format.channels
        let input = [Float](unsafeUninitializedCapacity: samples) { buffer, size in
            SampleConversion.toFloat(frames, format.type, into: buffer.baseAddress!)
            size = samples
        }
        let half = count * format.channels
        let first = input[..<half]
        let second = input[half...]
        func fade(_ from: ArraySlice<Float>, _ to: ArraySlice<Float>) -> [Float] {
            zip(from, to).enumerated().map { index, pair in
                let part = Float(index / format.channels) / Float(count)
                return pair.0 * (1 - part) + pair.1 * part
            }
        }
        let output = leavesOut ? fade(first, second) : Array(first) + fade(second, first) + Array(second)
        return [UInt8](unsafeUninitializedCapacity: output.count * format.type.size) { buffer, size in
            output.withUnsafeBufferPointer {
                SampleConversion.fromFloat($0.baseAddress!, count: output.count, format.type, into: buffer.baseAddress!)
            }
            size = output.count * format.type.size
        }
    }
}
