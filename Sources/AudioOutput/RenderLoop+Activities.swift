internal import MediaPorts
internal import PodcastModel

extension RenderLoop {
    func rest() -> Bool {
        guard stage != nil else {
            guard mailbox.leave() else { return false }
            events.put(.end)
            return true
        }
        let now = clock.now
        var since = now
        if case .resting(let before) = progress { since = before }
        progress = .resting(since: since)
        let deadline = closeDelay.map { since + $0 } ?? .distantFuture
        if now >= deadline { closeSink() } else { waitForCommands(until: deadline) }
        return false
    }

    func fill() {
        let gathered = gather(upTo: periodFrames)
        if !ring.isEmpty, !ensureOpen() { return }
        switch gathered {
        case .end, .format: handle(.enough)
        case .enough, .full, .dry, .early:
            guard let source else { return waitForSource(gathered, until: .distantFuture) }
            let seconds = Double(ring.staged) / Double(ring.format.rate)
            let isEnough =
                ring.staged > 0 && (.seconds(seconds + source.bufferedSeconds) >= machine.target || source.isFilled)
            if isEnough { return handle(.enough) }
            if gathered == .dry || gathered == .early { return waitForSource(gathered, until: .distantFuture) }
            // The eventfd is signalled only if the source was empty; here it fills while a period is already staged.
            // Decoding is much faster than playback, so the first checks follow quickly.
            var delay = Duration.milliseconds(2)
            if case .filling(let last) = progress { delay = min(.milliseconds(50), last + last / 2) }
            progress = .filling(delay: delay)
            waitForCommands(until: clock.now + delay)
        }
    }

    func deliver() {
        guard ring.capacity > 0 else { return handleNothingStaged(gather(upTo: periodFrames)) }
        guard ensureOpen(), let stage, let sink else { return }
        if let latency, latency.checks > 0, checkLatency(stage, sink) { return }
        if gain != stage.gain.target || writesAgain { followGain(stage, sink) }
        if let successor = machine.successor, continueWith(successor, stage, sink) { return }
        do throws(SinkError) {
            var taken = 0
            if !stage.waiting.isEmpty {
                taken = try sink.write(stage.waiting)
                stage.sent(taken)
            } else {
                let isWaiting = machine.successor != nil
                let gathered = ring.staged < periodFrames && !isWaiting ? gather(upTo: periodFrames) : .enough
                guard ring.staged > 0 else { return handleNothingStaged(gathered) }
                // A new format: the next round opens the sink for it.
                guard stage.source == ring.format else { return }
                let frames = ring.next(limit: periodFrames)
                if stage.isTransparent {
                    taken = try sink.write(frames)
                    ring.feed(taken / ring.format.frameSize)
                } else {
                    ring.feed(try stage.take(frames))
                    guard !stage.waiting.isEmpty else { return }
                    taken = try sink.write(stage.waiting)
                    stage.sent(taken)
                }
            }
            guard taken > 0 else { return }
            recordDelivery()
            handle(.delivered)
            updatePlayed()
            publish(isSounding: true)
        } catch { fail(error) }
    }

    /// Number of checks after start for a sink that learns its latency, and time between them. A sound server
    /// whose own buffer was full of silence knows half a second later that it started late.
    static let latencyChecks = 5
    static let checkDelay = Duration.milliseconds(200)

    /// Asks a sink that started recently for its latency, if it has enough frames to play meanwhile.
    /// - Returns: whether time has passed.
    private func checkLatency(_ stage: OutputStage, _ sink: any Sink) -> Bool {
        guard stage.sink.duration(of: sink.latency) > Self.checkDelay * 2 + sink.latencies.lowerBound else {
            return false
        }
        latency?.checks -= 1
        // Outputs that follow this one wait until it knows its latency, which most sinks do soon after the usual time.
        let delay = sink.learningTime < Self.checkDelay * 2 ? max(Self.checkDelay, sink.learningTime) : Self.checkDelay
        waitForCommands(until: clock.now + delay)
        if mailbox.hasCommands { return true }
        updatePlayed()
        publish(isSounding: true)
        return true
    }

    /// Removes frames from the sink, if the sink supports it, so that a new gain is heard soon instead of after all
    /// frames in the sink.
    private func followGain(_ stage: OutputStage, _ sink: any Sink) {
        writesAgain = false
        updatePlayed()
        let kept = stage.sink.frames(in: settings.gainMargin)
        if stage.keepsFrames, sink.latency > kept {
            let waiting = stage.waiting.count / stage.sink.frameSize
            ring.rewind(waiting + sink.takeBack(sink.latency - kept))
            stage.discard()
        }
        stage.gain.reachTarget()
        stage.gain.approach(gain, over: max(1, stage.sink.frames(in: settings.gainRamp)))
    }

    private func handleNothingStaged(_ gathered: Gathered) {
        do throws(SinkError) {
            switch gathered {
            case .end, .format:
                guard try stage?.finish() != true else { return }
                handle(.exhausted(gathered == .end ? .end : .format))
            case .dry, .early: try starve(gathered)
            case .full, .enough:
                updatePlayed()
                publish(isSounding: true)
                waitForCommands(until: clock.now + settings.period / 2)
            }
        } catch { fail(error) }
    }

    /// Waits for decoded frames as long as the sink still has frames to play.
    private func starve(_ gathered: Gathered) throws(SinkError) {
        updatePlayed()
        let left = sink.map(\.latency) ?? 0
        guard stage != nil, left > 0 else {
            try sink?.drain()
            latency = nil
            handle(.ranDry)
            return publish(isSounding: false)
        }
        publish(isSounding: true)
        let time = (stage?.sink ?? ring.format).duration(of: left)
        waitForSource(gathered, until: clock.now + max(.milliseconds(10), time))
    }

    func drain() {
        do throws(SinkError) {
            if let sink, let stage {
                try sink.drain()
                guard !mailbox.hasCommands else { return }
                // A late wake-up for a command that was already handled can end `drain` early; retry.
                var attempts = 0
                if case .draining(let before) = progress { attempts = before }
                if sink.latency > 0, attempts < 3 {
                    progress = .draining(attempts: attempts + 1)
                    return
                }
                stage.discard()
                latency = nil
            }
            ring.markPlayed(upTo: ring.fed)
            publish(isSounding: false)
            handle(.drained)
        } catch { fail(error) }
    }

    func retry(_ attempt: Int) {
        var instant = clock.now + settings.retryDelay(attempt)
        if case .retrying(let before) = progress { instant = before }
        progress = .retrying(at: instant)
        guard clock.now >= instant else { return waitForCommands(until: instant) }
        progress = .none
        _ = ensureOpen()
    }

    // MARK: Continuing with another generation

    /// Replaces what is queued by another generation, once enough of it is decoded.
    /// - Returns: whether there is nothing else to do now.
    func continueWith(_ generation: UInt32, _ stage: OutputStage, _ sink: any Sink) -> Bool {
        let kept = stage.sink.frames(in: settings.gainMargin)
        let latency = sink.latency
        guard let source else { return false }
        guard let chunk = source.nextChunk(), chunk.generation == generation, isEnough(source, chunk, stage) else {
            if latency > kept {
                waitForSuccessor(source, until: clock.now + stage.sink.duration(of: latency - kept))
            } else if ring.staged > 0 || !stage.waiting.isEmpty {
                return false
            } else if latency == 0 {
                handle(.switchGeneration(generation))
            } else {
                waitForSuccessor(source, until: clock.now + .milliseconds(2))
            }
            return true
        }
        guard chunk.kind == .end || chunk.format == ring.format else {
            handle(.switchGeneration(generation))
            return true
        }
        join(stage, sink, kept: kept)
        return false
    }

    /// Whether as much is decoded as is needed to continue behind what stays in the sink. At the lowest speed it lasts twice as long.
    private func isEnough(_ source: any PCMSource, _ chunk: PCMChunk, _ stage: OutputStage) -> Bool {
        if source.isFilled { return true }
        updatePlayed()
        let ahead = Int64(stage.source.frames(in: settings.gainMargin))
        let media = ring.map.media(of: min(ring.fed, ring.played + ahead))
        let missing = Double(max(0, media - chunk.mediaStart)) / Double(chunk.format.rate)
        return source.bufferedSeconds >= 0.1 + 2 * missing
    }

    private func waitForSuccessor(_ source: any PCMSource, until deadline: Instant) {
        // The eventfd is signalled only if the source was empty.
        guard source.nextChunk() == nil else {
            return waitForCommands(until: min(deadline, clock.now + .milliseconds(2)))
        }
        waitForSource(.dry, until: deadline)
    }

    private func join(_ stage: OutputStage, _ sink: any Sink, kept: Int) {
        updatePlayed()
        let waiting = stage.waiting.count / stage.sink.frameSize
        let excess = sink.latency - kept
        let taken = stage.keepsFrames && excess > 0 ? sink.takeBack(excess) : 0
        if taken > 0 || (stage.keepsFrames && excess <= 0) {
            ring.rewind(waiting + taken)
        } else {
            sink.drop()
            latency = nil
            ring.rewind()
        }
        stage.discard()
        ring.removeStaged()
        handle(.continued)
    }
}
