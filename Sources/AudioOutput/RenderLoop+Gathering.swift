internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

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
            let heard = ring.heardFrames(of: chunk) * chunk.format.frameSize
            if heard > 0 {
                let bytes = UnsafeMutableRawBufferPointer(rebasing: scrap[..<min(scrap.count, heard)])
                if source.read(into: bytes) > 0 { continue }
            }
            if chunk.format != ring.format || ring.capacity == 0 {
                guard ring.isEmpty else { return .format }
                let capacity = Int(PacedBuffer.frames(in: settings.capacity, rate: chunk.format.rate))
                ring.prepare(for: chunk.format, capacity: max(2, capacity))
                return gather(upTo: periodFrames)
            }
            guard !ring.map.isFull else { return .full }
            let room = ring.free(limit: wanted - ring.staged)
            guard room.count > 0 else { return .full }
            let count = source.read(into: room) / chunk.format.frameSize
            guard count > 0 else { return .dry }
            ring.fill(count, of: chunk)
        }
        return .enough
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
}
