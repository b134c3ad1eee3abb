internal import HTTP
internal import MediaPorts
internal import Synchronization
internal import SystemCalls

/// One request's way into the plan; runs on the fetching thread.
final class EpisodeFetch: HTTPTransferDelegate, Sendable {
    private let episode: CachedEpisode
    private let number: Int

    init(_ episode: CachedEpisode, number: Int) {
        self.episode = episode
        self.number = number
    }

    /// Whether the plan still waits for this request, not for a later one.
    private var isCurrent: Bool { episode.state.withLock { $0.fetch?.number == number } }

    func transfer(_ transfer: HTTPTransfer, didReceive head: HTTPHead) {
        guard isCurrent else { return transfer.cancel() }
        let isHTML = head.contentType.map { $0 == "text/html" || $0 == "application/xhtml+xml" } ?? false
        episode.step { state, now in
            state.isUnderSuspicion = isHTML && state.plan.known.have.end(from: 0) == 0
            return state.plan.head(FetchPlan.Head(head), now: now)
        }
        episode.tell(isUrgent: true)
        if !isCurrent { transfer.cancel() }
    }

    func transfer(_ transfer: HTTPTransfer, didReceiveBody bytes: UnsafeRawBufferPointer) -> HTTPFlow {
        guard isCurrent else {
            transfer.cancel()
            return .proceed
        }
        episode.take(bytes)
        episode.tell(isUrgent: false)
        if !isCurrent { transfer.cancel() }
        return episode.state.withLock { $0.plan.isHeld } ? .pause : .proceed
    }

    func transfer(_ transfer: HTTPTransfer, didComplete result: Result<HTTPSummary, HTTPError>) {
        guard isCurrent else { return }
        episode.state.withLock { $0.fetch = nil }
        episode.examineBeginning(isAll: true)
        episode.step { [episode] state, now in
            switch result {
            case .success: state.plan.ended(nil, now: now)
            case .failure(let error): state.plan.ended(FetchPlan.Failure(error, host: episode.host), now: now)
            }
        }
        episode.tell(isUrgent: true)
    }
}

extension CachedEpisode {
    /// Puts a piece of a body where it belongs.
    func take(_ bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        let now = store.clock.now()
        while !rest.isEmpty {
            switch state.withLock({ $0.plan.part(of: rest.count) }) {
            case .store(let offset, let count):
                guard write(UnsafeRawBufferPointer(rebasing: rest[..<count]), at: offset) else { return }
                state.withLock { state in
                    state.plan.stored(count, now: now)
                    state.rate.add(count, now: now)
                    guard state.spare.shortage == nil else { return }
                    state.unsaved += Int64(count)
                    state.isOnDisk = false
                }
                store.fetched(Int64(count))
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .compare(let offset, let count):
                let areEqual = isStored(UnsafeRawBufferPointer(rebasing: rest[..<count]), at: offset)
                step { state, _ in state.plan.compared(count, areEqual: areEqual) }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            case .drop:
                step { $0.plan.overflowed(now: $1) }
                return
            }
        }
        examineBeginning(isAll: false)
        step { $0.plan.settle(now: $1) }
        saveNowAndThen()
    }

    private func isStored(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Bool {
        guard let stored = try? read(at: offset, count: bytes.count) else { return false }
        return stored.elementsEqual(bytes)
    }

    /// Tells a web page from audio that is only called so, by the first bytes.
    /// - Parameter isAll: no more will come, so few bytes have to do.
    func examineBeginning(isAll: Bool) {
        let count = state.withLock { state in
            state.isUnderSuspicion ? Int(min(64, state.plan.known.have.end(from: 0))) : 0
        }
        guard count >= (isAll ? 1 : 64) else { return }
        state.withLock { $0.isUnderSuspicion = false }
        guard let bytes = try? read(at: 0, count: count), looksLikeHTML(bytes) else { return }
        step { [host] state, _ in state.plan.refuseContents("\(host) sent a web page instead of audio") }
    }

    private func looksLikeHTML(_ bytes: [UInt8]) -> Bool {
        var text = bytes[...]
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        let letters = text.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { $0 | 0x20 }
        return ["<!doctype html", "<html", "<head", "<body", "<script", "<!--", "<?xml"].contains { tag in
            letters.starts(with: tag.utf8.map { $0 | 0x20 })
        }
    }

    private func saveNowAndThen() {
        state.withLock { state in
            if state.unsaved < store.settings.indexInterval { return }
            state.unsaved = 0
            save(&state, isDurable: false)
        }
    }
}

extension FetchPlan.Head {
    init(_ head: HTTPHead) {
        self.init(status: head.status)
        let range = head.contentRange
        self.range = range?.bytes
        total = range?.total
        contentLength = head.contentLength
        validator = FetchPlan.Validator(etag: head.headers["etag"], lastModified: head.headers["last-modified"])
        contentType = head.contentType
        redirectedURL = head.hops.isEmpty ? nil : head.effectiveURL
        retryAfter = head.retryAfter
        acceptsRanges = head.headers["accept-ranges"]?.lowercased() == "bytes"
    }
}

extension FetchPlan.Failure {
    init(_ error: HTTPError, host: String) {
        let kind: Kind =
            switch error.kind {
            case .resolve, .connect, .tls, .exhausted: .contact
            case .timeout, .connectionLost, .truncated, .protocol: .connection
            case .aborted: .stopped
            case .certificate, .privateAddress, .invalidRequest, .tooLarge, .redirectLimit, .redirectRefused, .coding,
                .internal:
                .final
            }
        // The message about an unknown host or proxy contains its name.
        self.init(kind, error.kind == .resolve ? error.message : "\(host): \(error.message)")
    }
}
