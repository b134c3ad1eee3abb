internal import MediaPorts

/// Carries out the machine's activities.
extension RenderLoop {
    func rest() -> Bool {
        guard stage != nil else {
            guard mailbox.leave() else { return false }
            putEnd()
            return true
        }
        let now = clock.now
        let since = restSince ?? now
        restSince = since
        let delay = mailbox.closeDelay * 1e9
        let deadline = delay < 1e18 ? since + Int64(delay) : .max
        if now >= deadline {
            closeSink()
        } else {
            waitForOrders(until: deadline)
        }
        return false
    }

    func fill() {
        let gathered = gather(upTo: periodFrames)
        if !ring.isEmpty, !ensureOpen() { return }
        switch gathered {
        case .end, .format: handle(.enough)
        case .enough, .full, .dry, .early:
            guard let source else { return waitForSource(gathered, until: .max) }
            let seconds = Double(ring.staged) / Double(ring.format.rate)
            let isEnough = ring.staged > 0 && (seconds + source.bufferedSeconds >= machine.target || source.isComplete)
            if isEnough { return handle(.enough) }
            if gathered == .dry || gathered == .early { return waitForSource(gathered, until: .max) }
            // The eventfd is signalled only if the source was empty; here it fills while a period is already staged.
            // Decoding is much faster than playback, so the first checks follow quickly.
            fillDelay = min(50_000_000, max(2_000_000, fillDelay + fillDelay / 2))
            waitForOrders(until: clock.now + fillDelay)
        }
    }

    func deliver() {
        guard ring.capacity > 0 else { return handleNothingStaged(gather(upTo: periodFrames)) }
        guard ensureOpen(), let stage, let sink else { return }
        if looksLeft > 0, sink.learnsLatency, lookAgain(stage, sink) { return }
        if mailbox.gain != stage.gain.target { followGain(stage, sink) }
        do throws(SinkError) {
            var taken = 0
            if !stage.waiting.isEmpty {
                taken = try sink.write(stage.waiting)
                stage.sent(taken)
            } else {
                let gathered = ring.staged < periodFrames ? gather(upTo: periodFrames) : .enough
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
            noteDelivery()
            handle(.delivered)
            hear()
            publish(isSounding: true)
        } catch {
            fail(error)
        }
    }

    /// Number of checks after start for a sink that learns its latency, and nanoseconds between them. A sound server
    /// whose own buffer was full of silence knows half a second later that it started late.
    static let looks = 5
    static let lookDelay: Int64 = 200_000_000

    /// Asks a sink that started recently for its latency, if it has enough frames to play meanwhile.
    /// - Returns: whether time has passed.
    private func lookAgain(_ stage: OutputStage, _ sink: any Sink) -> Bool {
        guard Int64(sink.latency) * 1_000_000_000 / Int64(stage.sink.rate) > 2 * Self.lookDelay else { return false }
        looksLeft -= 1
        waitForOrders(until: clock.now + Self.lookDelay)
        if mailbox.hasNews { return true }
        hear()
        publish(isSounding: true)
        return true
    }

    /// Removes frames from the sink, if the sink supports it, so that a new gain is heard soon instead of after all
    /// frames in the sink.
    private func followGain(_ stage: OutputStage, _ sink: any Sink) {
        hear()
        let kept = Int(settings.gainMargin * Double(stage.sink.rate))
        if stage.keepsFrames, sink.latency > kept {
            let waiting = stage.waiting.count / stage.sink.frameSize
            ring.unfeed(waiting + sink.takeBack(sink.latency - kept))
            stage.discard()
        }
        stage.gain.settle()
        stage.gain.approach(mailbox.gain, over: max(1, Int(settings.gainRamp * Double(stage.sink.rate))))
    }

    private func handleNothingStaged(_ gathered: Gathered) {
        do throws(SinkError) {
            switch gathered {
            case .end, .format:
                guard try stage?.finish() != true else { return }
                drainAttempts = 0
                handle(.exhausted(gathered == .end ? .end : .format))
            case .dry, .early: try starve(gathered)
            case .full, .enough:
                hear()
                publish(isSounding: true)
                waitForOrders(until: clock.now + Int64(settings.period * 5e8))
            }
        } catch {
            fail(error)
        }
    }

    /// Waits for decoded frames as long as the sink still has frames to play.
    private func starve(_ gathered: Gathered) throws(SinkError) {
        hear()
        let left = sink.map(\.latency) ?? 0
        guard stage != nil, left > 0 else {
            try sink?.drain()
            isSinkEmpty = true
            fillDelay = 0
            handle(.ranDry)
            return publish(isSounding: false)
        }
        publish(isSounding: true)
        let rate = Int64(stage?.sink.rate ?? ring.format.rate)
        let time = max(10_000_000, (Int64(left) * 1_000_000_000 + rate - 1) / rate)
        waitForSource(gathered, until: clock.now + time)
    }

    func drain() {
        do throws(SinkError) {
            if let sink, let stage {
                try sink.drain()
                guard !mailbox.hasNews else { return }
                // A late wake-up for a command that was already handled can end `drain` early; retry.
                if sink.latency > 0, drainAttempts < 3 {
                    drainAttempts += 1
                    return
                }
                stage.discard()
                isSinkEmpty = true
            }
            ring.hear(upTo: ring.fed)
            map.forget(before: ring.heard)
            publish(isSounding: false)
            handle(.drained)
        } catch {
            fail(error)
        }
    }

    func retry(_ attempt: Int) {
        let delay = min(
            settings.maximumRetryDelay, settings.firstRetryDelay * Double(1 << min(16, max(0, attempt - 1))))
        let at = retryAt ?? clock.now + Int64(delay * 1e9)
        retryAt = at
        guard clock.now >= at else { return waitForOrders(until: at) }
        retryAt = nil
        _ = ensureOpen()
    }
}
