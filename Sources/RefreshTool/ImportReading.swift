internal import CommandLineTool
internal import FeedRefresh
internal import LibraryModel
internal import Moving
internal import OPML

/// Reads what is imported, whatever form it has, as one sort of records.
struct ImportReading {
    /// Bytes of a list of addresses that are read.
    private static let listBytes = 4 << 20

    let form: ImportForm
    let input: ImportInput
    private let database: ImportedDatabase?
    private let foreign: ForeignDatabase?

    /// Detects the format of an input.
    ///
    /// - Parameters:
    ///   - wanted: the format that the user gave; nil to detect it.
    ///   - folder: directory for a copy of a database, if one is needed.
    /// - Throws: `badData` if it cannot be imported, or has another format than the user gave.
    init(_ input: ImportInput, as wanted: ImportForm?, copyingTo folder: String) throws(ToolFailure) {
        self.input = input
        guard input.isDatabase else {
            (database, foreign) = (nil, nil)
            switch wanted {
            case .program(let program)? where program != .newsboat:
                throw ToolFailure(.badData, "\(input.name): not a database of \(program.title)")
            case let wanted?: form = wanted
            case nil: form = input.textForm
            }
            return
        }
        let database = try ImportedDatabase(input, copyingTo: folder)
        do throws(MovingError) {
            foreign = try ForeignDatabase(path: database.path)
        } catch {
            throw ToolFailure(.badData, "\(input.name): \(error)")
        }
        self.database = database
        form = .program(foreign!.program)
        if let wanted, wanted != form {
            throw ToolFailure(.badData, "\(input.name): a database of \(foreign!.program.title)")
        }
    }

    /// Reads all of it.
    ///
    /// - Parameters:
    ///   - tell: receives warnings about the document.
    ///   - wanted: receives a record and the fraction of the document that is read, 0 to 1, if known; returns whether
    ///     to continue.
    func read(
        tell: (String) -> Void, _ wanted: (PortableRecord, Double?) -> Bool
    ) throws(ToolFailure) {
        func take(_ record: PortableRecord, _ fraction: Double?) -> Bool { wanted(record.withPlainNames, fraction) }
        switch form {
        // Imported by `importFeed`, because it is not a list of records.
        case .feed: break
        case .opml: try readOPML(take)
        case .state: try readState(tell) { take($0, input.fraction) }
        case .program(.newsboat) where foreign == nil:
            Self.hand(NewsboatList.feeds(in: try input.text(upTo: Self.listBytes)), to: take)
        case .program(let program): try readDatabase(of: program) { take($0, nil) }
        }
    }

    private static func hand(_ feeds: [PortableFeed], to take: (PortableRecord, Double?) -> Bool) {
        for (index, feed) in feeds.enumerated() where !take(.feed(feed), Double(index + 1) / Double(feeds.count)) {
            return
        }
    }

    private func readOPML(_ take: (PortableRecord, Double?) -> Bool) throws(ToolFailure) {
        let reader = OPMLReader(contentType: nil)
        try input.read { bytes throws(ToolFailure) in reader.take(bytes) }
        switch reader.finish() {
        case .success(let document):
            Self.hand(document.subscriptions.map { PortableFeed($0) }, to: take)
        case .failure(let error): throw ToolFailure(.badData, "\(input.name): \(error)")
        }
    }

    private func readState(_ tell: (String) -> Void, _ take: (PortableRecord) -> Bool) throws(ToolFailure) {
        var reader = StateReader()
        var failure: MovingError?
        try input.read { bytes throws(ToolFailure) in
            do throws(MovingError) {
                try reader.push(bytes, take: take)
                return true
            } catch {
                failure = error
                return false
            }
        }
        if failure == nil { do throws(MovingError) { try reader.finish() } catch { failure = error } }
        for name in reader.unknown.sorted() { tell("\(input.name): skipped unknown '\(name)'") }
        if reader.refused > 0 {
            tell("\(input.name): skipped \(Count(reader.refused, "incomplete record"))")
        }
        if let failure, failure != .stopped { throw ToolFailure(.badData, "\(input.name): \(failure)") }
    }

    private func readDatabase(
        of program: ForeignProgram, _ take: (PortableRecord) -> Bool
    ) throws(ToolFailure) {
        let (queue, names) = program == .newsboat ? filesOfNewsboat() : (nil, [:])
        do throws(MovingError) {
            try foreign?.read { record in
                switch record {
                case .episode(var episode, let feed):
                    queue?.complete(&episode)
                    return take(.episode(episode, feed: feed))
                case .feed(var feed):
                    if let named = names[feed.url] { (feed.tags, feed.settings) = (named.tags, named.settings) }
                    return take(.feed(feed))
                case .rule, .retention, .playlist: return take(record)
                }
            }
        } catch {
            if error != .stopped { throw ToolFailure(.badData, "\(input.name): \(error)") }
        }
    }

    /// newsboat's other files, if they are in the directory of its cache.
    private func filesOfNewsboat() -> (queue: PodboatQueue?, names: [String: PortableFeed]) {
        guard let path = input.path else { return (nil, [:]) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        func text(_ name: String) -> String? { try? ImportInput(folder + name).text(upTo: Self.listBytes) }
        let list = NewsboatList.feeds(in: text("urls") ?? "")
        return (
            text("queue").map(PodboatQueue.init), Dictionary(list.map { ($0.url, $0) }, uniquingKeysWith: { $1 })
        )
    }
}

extension PortableRecord {
    /// The same with titles as plain text.
    fileprivate var withPlainNames: PortableRecord {
        switch self {
        case .feed(var feed):
            feed.title = feed.title.flatMap(PlainName.read)
            return .feed(feed)
        case .episode(var episode, let feed):
            episode.identity.title = episode.identity.title.flatMap(PlainName.read)
            return .episode(episode, feed: feed)
        case .rule, .retention, .playlist: return self
        }
    }
}

extension PortableFeed {
    /// A subscription of a list, its groups as tags.
    init(_ subscription: Subscription) {
        self.init(url: subscription.url, title: subscription.title, tags: subscription.tags)
    }
}
