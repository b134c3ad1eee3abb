internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Reads frames from the source.
extension RenderLoop {
    var periodFrames: Int { max(1, Int(PacedBuffer.frames(in: settings.period, rate: ring.format.rate))) }

    /// Reads chunks until this number of frames is staged.
    func gather(upTo wanted: Int) -> Gathered {
        guard let source else { return .dry }
        var emptySkips = 0
        while ring.staged < wanted || ring.capacity == 0 {
            guard let chunk = source.nextChunk() else { return .dry }
            let age = Int32(bitPattern: chunk.generation &- machine.generation)
            if age > 0 { return .early }
            if age < 0 || !chunk.isUsable {
                let skipped = source.read(into: scrap)
                emptySkips = skipped > 0 ? 0 : emptySkips + 1
                if emptySkips > 1000 { return .dry }
                continue
            }
            if chunk.kind == .end { return .end }
            if let joint, skip(chunk, from: source, before: joint) { continue }
            if chunk.format != ring.format || ring.capacity == 0 {
                guard ring.isEmpty else { return .format }
                let capacity = Int(PacedBuffer.frames(in: settings.capacity, rate: chunk.format.rate))
                ring.prepare(for: chunk.format, capacity: max(2, capacity))
                map.reset()
                return gather(upTo: periodFrames)
            }
            guard !map.isFull else { return .full }
            let room = ring.free(limit: wanted - ring.staged)
            guard room.count > 0 else { return .full }
            let count = source.read(into: room) / chunk.format.frameSize
            guard count > 0 else { return .dry }
            map.append(
                start: ring.filled, count: Int64(count), mediaStart: chunk.mediaStart,
                mediaEnd: chunk.media(afterFrames: count))
            ring.fill(count)
            ringGeneration = chunk.generation
        }
        return .enough
    }

    /// Leaves out frames that were heard from the generation before.
    /// - Returns: whether there were some.
    private func skip(_ chunk: PCMChunk, from source: any PCMSource, before joint: Int64) -> Bool {
        let total = chunk.byteCount / chunk.format.frameSize
        let span = chunk.mediaEnd &- chunk.mediaStart
        var count = total
        if chunk.mediaStart >= joint || span <= 0 {
            count = 0
        } else if chunk.mediaEnd > joint, span < 1 << 31 {
            count = Int((joint - chunk.mediaStart) * Int64(total) / span)
        }
        if count < total { self.joint = nil }
        guard count > 0 else { return false }
        let limit = min(scrap.count, count * chunk.format.frameSize)
        return source.read(into: UnsafeMutableRawBufferPointer(rebasing: scrap[..<limit])) > 0
    }

    func waitForSource(_ gathered: Gathered, until deadline: Instant) {
        guard let source, gathered != .early else { return waitForCommands(until: deadline) }
        guard source.prepareToWait() else { return }
        clock.wait(readable: mailbox.wakeUp.raw, source.readinessDescriptor, writable: -1, until: deadline)
        mailbox.wakeUp.clear()
    }

    /// The eventfd may be signalled for commands that were already handled; `hasNews` shows whether there is a new one.
    func waitForCommands(until deadline: Instant) {
        clock.wait(readable: mailbox.wakeUp.raw, until: deadline)
        mailbox.wakeUp.clear()
    }
}

extension PCMChunk {
    /// Whether its values are possible; other chunks are skipped.
    fileprivate var isUsable: Bool {
        kind == .end || (PCMFormat.rates.contains(format.rate) && PCMFormat.channelCounts.contains(format.channels))
    }

    /// The media time after the chunk's first frames.
    fileprivate func media(afterFrames count: Int) -> Int64 {
        let total = byteCount / format.frameSize
        guard count < total else { return mediaEnd }
        let (span, hasOverflow) = mediaEnd.subtractingReportingOverflow(mediaStart)
        guard !hasOverflow, span >= 0, span < 1 << 31 else { return mediaStart &+ Int64(count) }
        return mediaStart &+ span * Int64(count) / Int64(total)
    }
}
