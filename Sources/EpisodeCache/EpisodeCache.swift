internal import Glibc
public import HTTP
public import MediaPorts
internal import PodcastModel
internal import SystemCalls

/// Episodes on disk, filled over HTTP as they are played or downloaded.
///
/// The folder belongs to one cache at a time: a lock that ends with the process keeps others out.
/// All methods may be called from any thread. A source's network and data work runs on the `HTTPThread`, indexes are
/// written on a thread of the cache's own; neither begins before something is fetched.
public final class EpisodeCache: MediaOpening {
    /// What may be set.
    public struct Settings: Sendable {
        /// How far ahead to fetch, and when to try again.
        public var plan = FetchPlan.Settings()
        /// Resolving, connecting and the TLS handshake.
        public var connectTimeout = Duration.seconds(10)
        /// The first try's wait for an answer; later ones wait longer, up to four times.
        public var answerTimeout = Duration.seconds(10)
        /// The silence within an answer after which the connection is given up and made anew.
        public var stallTimeout = Duration.seconds(10)
        /// Bytes between two writings of an index: what a crash makes to be fetched again.
        public var indexInterval: Int64 = 4 << 20

        /// How an episode's requests are made, by the URL under which it was opened; asked for each request, on the
        /// fetching thread, and must not wait. The usual one: as anybody, for a URL that the user named.
        public var access: @Sendable (_ url: String) -> HTTPAccess = { _ in HTTPAccess() }

        /// The usual settings.
        public init() {}
    }

    /// What the cache was good for since it was made.
    public struct Statistics: Equatable, Sendable {
        /// Episodes opened of which all was there.
        public var complete = 0
        /// Episodes opened of which a part was there.
        public var partial = 0
        /// Episodes opened of which nothing was there.
        public var missing = 0
        /// Bytes that were there when their episodes were opened.
        public var reusedBytes: Int64 = 0
        /// Bytes that were fetched.
        public var fetchedBytes: Int64 = 0

        /// Nothing was opened.
        public init() {}

        mutating func count(opened known: FetchPlan.Knowledge) {
            let bytes = known.have.count
            reusedBytes += bytes
            if bytes == 0 {
                missing += 1
            } else if bytes == known.length {
                complete += 1
            } else {
                partial += 1
            }
        }
    }

    let store: CacheStore

    /// A cache in a folder, which is made when it is missing.
    ///
    /// - Parameters:
    ///   - directory: the folder's path; nothing else may be kept in it.
    ///   - http: fetches; begins with the first byte that is missing.
    ///   - sizeLimit: bytes on disk beyond which the least recently used episodes go.
    ///   - settings: limits and times.
    ///   - clock: nil takes the system's.
    /// - Throws: `MediaFailure` of kind `storage`, also when another process uses the folder.
    public init(
        directory: String, http: HTTPThread, sizeLimit: Int64, settings: Settings = Settings(),
        clock: (any FetchClock)? = nil
    ) throws(MediaFailure) {
        do throws(SystemError) {
            store = try CacheStore(
                folder: directory, http: http, sizeLimit: sizeLimit, settings: settings,
                clock: clock ?? FetchThreadClock(http))
        } catch  where error.code == EBUSY {
            throw MediaFailure(
                .storage,
                "the episode cache in \(SafeText.line(directory)) is used by another podcastd; stop that one, or give this one "
                    + "another --cache-dir")
        } catch {
            throw MediaFailure(.storage, "the episode cache cannot be used: \(SafeText.line(error.description))")
        }
    }

    deinit { store.finish() }

    /// A source for an `http` or `https` URL. It does nothing before its first `want`; what is at hand from earlier
    /// can be read at once.
    /// - Throws: `MediaFailure`: another scheme, or the folder cannot be used.
    public func open(_ url: String) throws(MediaFailure) -> any ByteSource {
        try opening(url) { () throws(SystemError) in try store.open(url) }
    }

    /// Does something with the files of an `http` or `https` URL.
    func opening<Result>(_ url: String, _ body: () throws(SystemError) -> Result) throws(MediaFailure) -> Result {
        guard HTTPURL.isHTTP(url) else { throw MediaFailure(.notFound, "only http and https URLs can be fetched") }
        do throws(SystemError) {
            return try body()
        } catch {
            throw MediaFailure(.storage, "the episode cache cannot be used: \(SafeText.line(error.description))")
        }
    }

    /// Keeps an episode whatever the limit says, or no longer. Reads and writes the disk.
    public func setPinned(_ isPinned: Bool, url: String) throws(MediaFailure) {
        do throws(SystemError) {
            try store.setPinned(isPinned, url: url)
        } catch {
            throw MediaFailure(.storage, "the episode cache cannot be used: \(SafeText.line(error.description))")
        }
    }

    /// What the cache was good for since it was made. Any thread; takes one short lock.
    public var statistics: Statistics { store.statistics }

    /// Bytes that all episodes take on the disk. Reads the disk.
    public func usage() -> Int64 { store.usage() }

    /// Removes episodes beyond the limit now: the least recently used first, never one that is open or pinned.
    public func trim() { store.trim() }

    /// Waits until everything that is known of the episodes is on disk; call when the process ends. Sources may be
    /// closed later, but what they fetch afterwards is forgotten. Another process may use the folder from then on.
    public func finish() { store.finish() }
}
