internal import MediaPorts
internal import PodcastModel

/// Continues with another generation at the position being heard.
extension RenderLoop {
    /// Replaces what is queued by another generation, once enough of it is decoded.
    /// - Returns: whether there is nothing else to do now.
    func continueWith(_ generation: UInt32, _ stage: OutputStage, _ sink: any Sink) -> Bool {
        let kept = Int(PacedBuffer.frames(in: settings.gainMargin, rate: stage.sink.rate))
        let latency = sink.latency
        guard let source else { return false }
        guard let chunk = source.nextChunk(), chunk.generation == generation, isEnough(source, chunk, stage) else {
            if latency > kept {
                waitForSuccessor(
                    source, until: clock.now + PacedBuffer.duration(of: Int64(latency - kept), rate: stage.sink.rate))
                return true
            }
            if ring.staged == 0, stage.waiting.isEmpty, latency == 0 {
                handle(.switchGeneration(generation))
                return true
            }
            if ring.staged == 0, stage.waiting.isEmpty {
                waitForSuccessor(source, until: clock.now + .milliseconds(2))
                return true
            }
            return false
        }
        guard chunk.kind == .end || chunk.format == ring.format else {
            handle(.switchGeneration(generation))
            return true
        }
        join(generation, stage, sink, kept: kept)
        return false
    }

    /// Whether as much is decoded as is needed to continue behind what stays in the sink. At the lowest speed it lasts twice as long.
    private func isEnough(_ source: any PCMSource, _ chunk: PCMChunk, _ stage: OutputStage) -> Bool {
        if source.isComplete { return true }
        updatePlayed()
        let ahead = Int64(stage.source.rate) * settings.gainMargin.nanoseconds / 1_000_000_000
        let media = map.media(of: min(ring.fed, ring.played + ahead))
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

    private func join(_ generation: UInt32, _ stage: OutputStage, _ sink: any Sink, kept: Int) {
        updatePlayed()
        let waiting = stage.waiting.count / stage.sink.frameSize
        let excess = sink.latency - kept
        let taken = stage.keepsFrames && excess > 0 ? sink.takeBack(excess) : 0
        if taken > 0 || (stage.keepsFrames && excess <= 0) {
            ring.rewind(waiting + taken)
        } else {
            sink.drop()
            flow = .empty
            ring.rewind()
        }
        stage.discard()
        joint = map.media(of: ring.fed)
        ring.removeStaged()
        map.forget(from: ring.fed)
        successor = nil
        handle(.continued(generation))
    }
}
