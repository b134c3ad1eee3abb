internal import Glibc
internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Stores received bytes: on disk, or in memory while the disk accepts none. On the fetching thread.
extension CachedEpisode {
    /// - Returns: false if neither disk nor memory accepts the bytes; they are requested again later.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        let now = store.clock.now
        if state.withLock({ $0.spare.triesDisk(now: now) }) {
            do throws(SystemError) {
                try makingRoom { () throws(SystemError) in try file.write(bytes, at: offset) }
                try returnToDisk()
                return true
            } catch {
                diskRefused(error, now: now)
            }
        }
        do throws(SystemError) {
            try writeToMemory(bytes, at: offset)
            return true
        } catch {
            step { state, now in state.plan.foundNoRoom(state.spare.shortage ?? "\(error)", now: now) }
            return false
        }
    }

    private func makingRoom(_ write: () throws(SystemError) -> Void) throws(SystemError) {
        do throws(SystemError) {
            try write()
        } catch {
            guard error.code == ENOSPC, store.makeRoom(64 << 20) else { throw error }
            try write()
        }
    }

    private func diskRefused(_ error: SystemError, now: Instant) {
        let delay = store.settings.plan.roomDelay
        state.withLock { $0.spare.diskRefused(SpareMemory.shortage(error), until: now + delay) }
        guard file.canBeWritten else { return }
        store.clock.schedule(after: delay) { [weak self] in
            self?.store.http.perform { [weak self] in self?.tryDiskAgain() }
        }
    }

    /// Also without new bytes, users want to know that the disk accepts bytes again.
    private func tryDiskAgain() {
        let now = store.clock.now
        guard users.withLock({ $0 > 0 }), state.withLock({ $0.spare.mayTryDisk(now: now) }) else { return }
        do throws(SystemError) {
            try makingRoom { () throws(SystemError) in try returnToDisk() }
            saveAtRest()
        } catch {
            diskRefused(error, now: now)
        }
    }

    /// Moves the bytes in memory to the disk, where they are read from then on.
    private func returnToDisk() throws(SystemError) {
        let spare = state.withLock { $0.spare }
        guard spare.shortage != nil else { return }
        try bringToDisk(spare.window)
        state.withLock { state in
            state.spare.diskTook()
            state.plan.fillsMemory = false
            state.index.stored(spare.window.count)
        }
        // Users have to know before the memory is released.
        reportChanges(isUrgent: true)
        file.memory.clear()
    }

    private func bringToDisk(_ window: MemoryWindow) throws(SystemError) {
        var offset = window.range.lowerBound
        while offset < window.range.upperBound {
            let (place, count) = window.place(of: offset)
            let piece = try file.memory.read(at: place, count: Int(min(count, 1 << 20)))
            guard !piece.isEmpty else { throw SystemError(code: EIO, call: "read memory") }
            try unsafe piece.span.bytes.withUnsafeBytes { (buffer) throws(SystemError) in
                try file.write(buffer, at: offset)
            }
            offset += Int64(piece.count)
        }
    }

    private func writeToMemory(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        let dropped = state.withLock { state in
            let wanted = state.users.wanted.min() ?? offset
            let dropped = state.spare.makeRoom(for: Int64(bytes.count), at: offset, wanted: wanted)
            state.plan.dropped(dropped)
            state.plan.fillsMemory = true
            return dropped
        }
        if !dropped.isEmpty { reportChanges(isUrgent: true) }
        var rest = bytes
        while !rest.isEmpty {
            let place = (offset + Int64(bytes.count - rest.count)) % file.memory.capacity
            let count = min(rest.count, Int(file.memory.capacity - place))
            try file.memory.write(UnsafeRawBufferPointer(rebasing: rest[..<count]), at: place)
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        let lost = state.withLock { state in
            state.spare.took(Int64(bytes.count))
            return state.users.wanted.first(where: dropped.contains)
        }
        // A user waits for a byte that was dropped: fetch it again.
        if let lost { step { $0.plan.want(from: lost, now: $1) } }
    }

    /// Available bytes, from disk or memory.
    func read(at offset: Int64, count: Int) throws(SystemError) -> [UInt8] {
        let window = state.withLock { $0.spare.window }
        var bytes: [UInt8] = []
        while bytes.count < count {
            let next = offset + Int64(bytes.count)
            let missing = count - bytes.count
            let piece: [UInt8]
            if window.range.contains(next) {
                let (place, rest) = window.place(of: next)
                piece = try file.memory.read(at: place, count: min(missing, Int(rest)))
            } else {
                let end = next < window.range.lowerBound ? window.range.lowerBound - next : Int64(missing)
                piece = try file.read(at: next, count: min(missing, Int(end)))
            }
            if piece.isEmpty { break }
            bytes += piece
        }
        return bytes
    }
}
