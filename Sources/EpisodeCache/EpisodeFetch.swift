internal import Glibc
internal import HTTP
internal import MediaPorts
internal import PodcastModel
internal import Synchronization
internal import SystemCalls

/// Passes the answer to one request on to the plan; runs on the fetching thread.
final class EpisodeFetch: HTTPTransferDelegate, Sendable {
    private let episode: CachedEpisode
    private let number: Int

    init(_ episode: CachedEpisode, number: Int) {
        self.episode = episode
        self.number = number
    }

    /// Whether the plan has not cancelled this request meanwhile.
    private var isCurrent: Bool { episode.state.withLock { $0.fetch?.number == number } }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        guard isCurrent else { return transfer.cancel() }
        episode.step { state, now in
            state.fetch?.isUnexamined = state.plan.known.have.end(from: 0) == 0
            return state.plan.head(head, now: now)
        }
        episode.reportChanges(isUrgent: true)
        if !isCurrent { transfer.cancel() }
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        guard isCurrent else {
            transfer.cancel()
            return .proceed
        }
        episode.receive(bytes)
        episode.reportChanges(isUrgent: false)
        if !isCurrent { transfer.cancel() }
        return episode.state.withLock { $0.plan.isHeld } ? .pause : .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        guard isCurrent else { return }
        episode.examineBeginning(isAll: true)
        episode.state.withLock { $0.fetch = nil }
        var failure: FetchPlan.Failure?
        if case .failure(let error) = result { failure = FetchPlan.Failure(error, host: episode.host) }
        episode.step { $0.plan.ended(failure, now: $1) }
        episode.reportChanges(isUrgent: true)
    }
}

extension CachedEpisode {
    func receive(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        let now = cache.clock.now
        while !rest.isEmpty {
            switch state.withLock({ $0.plan.part(of: rest.count) }) {
            case .store(let offset, let count):
                guard write(UnsafeRawBufferPointer(rebasing: rest[..<count]), at: offset) else { return }
                state.withLock { state in
                    state.plan.stored(count, now: now)
                    state.rate.add(count, now: now)
                    state.index.stored(Int64(count))
                }
                cache.fetched(Int64(count))
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .compare(let offset, let count):
                let areEqual = (try? file.read(at: offset, count: count))?.elementsEqual(rest[..<count]) ?? false
                step { state, _ in state.plan.compared(count, areEqual: areEqual) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .drop:
                step { $0.plan.overflowed(now: $1) }
                return
            }
        }
        examineBeginning(isAll: false)
        step { state, _ in state.plan.pieceProcessed() }
        state.withLock { if $0.index.isDue(after: cache.settings.indexInterval) { save(&$0, isDurable: false) } }
    }

    /// Writes bytes to the disk. If the disk is full, removes episodes that are neither open nor pinned first, then those that are
    /// needed less, then bytes of this one.
    /// - Returns: false if the disk does not accept the bytes, which ends the fetch or makes it wait.
    private func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        do throws(SystemError) {
            try file.write(bytes, at: offset)
            return true
        } catch {
            let failure = MediaFailure(cache: cache.folder, error)
            let isFull = [ENOSPC, EDQUOT].contains(error.code)
            let remedies =
                isFull ? [{ [cache] in cache.makeRoom(64 << 20) }, { self.takeRoom(failure) }, freeUnwanted] : []
            for makesRoom in remedies where makesRoom() {
                if (try? file.write(bytes, at: offset)) != nil { return true }
            }
            step { state, _ in isFull ? state.plan.waitForRoom(failure) : state.plan.fail(failure) }
            return false
        }
    }

    /// Ends episodes that are only downloaded, or were opened later, as the one that is played next: the one that is heard wins.
    /// - Returns: false if there are none, or this one is only downloaded.
    private func takeRoom(_ failure: MediaFailure) -> Bool {
        let others = cache.state.withLock { $0.open.values.filter(isAhead) }
        for other in others {
            other.step { state, _ in
                state.plan.known.have = ByteRanges()
                return state.plan.fail(failure)
            }
            other.release(except: 0..<0)
        }
        return !others.isEmpty
    }

    private func isAhead(of other: CachedEpisode) -> Bool {
        guard state.withLock({ $0.users.hasForeground }), other !== self else { return false }
        return other.state.withLock { !$0.plan.isWhole && (!$0.users.hasForeground || other.number > number) }
    }

    /// Frees the space of bytes that the only user does not need next.
    /// - Returns: false if the bytes must stay.
    private func freeUnwanted() -> Bool {
        let kept = state.withLock { state in
            !file.isPinned && state.users.wanted.count == 1 ? state.plan.forgetUnwanted() : nil
        }
        guard let kept else { return false }
        release(except: kept)
        return true
    }

    /// The cache does not keep the episode after that.
    private func release(except kept: Range<Int64>) {
        // The index and the user first: neither may have bytes that are gone.
        cache.discard(self)
        reportChanges(isUrgent: true)
        file.free(except: kept)
    }

    private static let beginning = 256

    /// Recognizes web pages and playlists by their first bytes, because servers call pages audio and audio pages.
    /// - Parameter isAll: no more bytes follow, so fewer than usual have to be enough.
    func examineBeginning(isAll: Bool) {
        let count = state.withLock { state in
            state.fetch?.isUnexamined == true ? Int(min(Int64(Self.beginning), state.plan.known.have.end(from: 0))) : 0
        }
        guard count >= (isAll ? 1 : Self.beginning) else { return }
        state.withLock { $0.fetch?.isUnexamined = false }
        guard let bytes = try? file.read(at: 0, count: count), let name = foreignContents(bytes) else { return }
        step { [host] state, _ in state.plan.refuseContents("\(host) sent \(name)") }
    }

    /// The kind of a file that is not audio, in words for users; nil if it may be audio.
    private func foreignContents(_ bytes: [UInt8]) -> String? {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let letters = String(utf8: text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) })
            .lowercased()
        func starts(_ tags: String...) -> Bool { tags.contains { letters.hasPrefix($0) } }
        if starts("<!doctype html", "<html", "<head", "<body", "<script", "<!--", "<?xml") {
            return "a web page instead of audio"
        }
        if starts("#extm3u"), letters.contains("#ext-x-") { return "an HLS stream, which podcastd cannot play" }
        return starts("#extm3u", "[playlist]", "http://", "https://") ? "a playlist instead of audio" : nil
    }
}

extension FetchPlan.Failure {
    init(_ error: HTTPError, host: String) {
        let kind: Kind =
            switch error.kind {
            case .resolve, .connect, .tls, .exhausted: .contact
            case .timeout, .connectionLost, .protocol: .connection
            case .truncated: .closed
            case .aborted: .stopped
            case .privateAddress: .forbidden
            case .coding: .compressed
            case .certificate, .invalidRequest, .tooLarge, .redirectLimit, .redirectRefused, .internal: .final
            }
        // The messages about an unknown host or proxy and about a private address contain the name.
        let isNamed = error.kind == .resolve || error.kind == .privateAddress
        self.init(kind, isNamed ? error.message : "\(host): \(error.message)")
    }
}
