internal import CommandLineTool
internal import FeedDocuments
internal import Library
internal import PodcastModel
internal import SystemCalls

/// Format of a document that can be imported.
enum ImportForm: Hashable {
    /// `device` is OPML that the user did not choose.
    case opml, device, feed
    /// The state of another library of ours.
    case state
    /// Another program's database, or newsboat's list of addresses.
    case program(ForeignProgram)

    /// The word for `--from` and in replies.
    var name: String {
        switch self {
        case .opml: "opml"
        case .device: "device"
        case .feed: "feed"
        case .state: "state"
        case .program(let program): program.rawValue
        }
    }

    static let all: [ImportForm] = [.opml, .device, .feed, .state] + ForeignProgram.allCases.map(ImportForm.program)

    /// The format by the first bytes of a document that is not a database.
    init(start: ArraySlice<UInt8>) {
        let text = String(utf8: start).lowercased()
        if start.first == .openingBrace {
            self = text.contains("jsonfeed.org/version/") ? .feed : .state
        } else if !text.contains("<opml"), ["<rss", "<rdf:rdf", "<feed", "<channel"].contains(where: text.contains) {
            self = .feed
        } else {
            let first = text.split(whereSeparator: \.isNewline).first { $0.first != "#" } ?? ""
            self = first.hasPrefix("http://") || first.hasPrefix("https://") ? .program(.newsboat) : .opml
        }
    }
}

/// Reads a document of any importable format as records.
struct ImportReading {
    /// Bytes of a list of addresses that are read.
    private static let listBytes = 4 << 20
    /// The largest state file that is read, in bytes: enough for a million episodes.
    private static let stateBytes = 256 << 20

    let form: ImportForm
    let input: InputFile
    private let database: ImportedDatabase?
    private let foreign: ForeignDatabase?
    /// newsboat's list of URLs, for names and tags.
    private let addresses: String?

    /// Detects the format of an input.
    ///
    /// - Parameters:
    ///   - wanted: the format that the user gave; nil to detect it.
    ///   - folder: directory for a copy of a database, if one is needed.
    ///   - settings: `$XDG_CONFIG_HOME`.
    ///   - appended: sizes of newsboat's list of URLs and podboat's queue, which follow a database on standard input.
    /// - Throws: `badData` if it cannot be imported, or has another format than the user gave.
    init(
        _ input: InputFile, as wanted: ImportForm?, copyingTo folder: String, settings: String? = nil,
        appended: (addresses: Int, queue: Int) = (0, 0)
    ) throws(ToolFailure) {
        self.input = input
        guard input.isDatabase else {
            database = nil
            foreign = nil
            addresses = nil
            switch wanted {
            case .program(let program)? where program != .newsboat:
                throw ToolFailure(.badData, "\(input.name): not a database of \(program.title)")
            case let wanted?: form = wanted
            case nil: form = ImportForm(start: input.start)
            }
            return
        }
        let database = try ImportedDatabase(input, copyingTo: folder)
        let queue: String?
        if let path = input.path {
            func text(_ path: String) -> String? { try? InputFile(path).text(upTo: Self.listBytes) }
            let path = (try? CurrentProcess.realPath(path)) ?? path
            addresses = NewsboatFiles.lists(of: path, settings: settings).lazy.compactMap(text).first
            queue = text(NewsboatFiles.queue(of: path))
        } else {
            queue = try database.cutText(bytes: appended.queue)
            addresses = try database.cutText(bytes: appended.addresses)
        }
        foreign = try ToolFailure.wrapping(.badData, subject: input.name) { try ForeignDatabase(path: database.path) }
        self.database = database
        foreign!.queue = queue.map(PodboatQueue.init)
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
    func read(tell: (String) -> Void, _ wanted: (PortableRecord, Double?) -> Bool) throws(ToolFailure) {
        func take(_ record: PortableRecord, _ fraction: Double?) -> Bool { wanted(record.withPlainNames, fraction) }
        switch form {
        // Imported by `importFeed`, because it is not a list of records.
        case .feed: break
        case .opml, .device: try readOPML(take)
        case .state: try readState(tell, take)
        case .program(.newsboat) where foreign == nil:
            pass(NewsboatList.feeds(in: try input.text(upTo: Self.listBytes)), to: take)
        case .program(let program): try readDatabase(of: program) { take($0, nil) }
        }
    }

    private func pass(_ feeds: [PortableFeed], to take: (PortableRecord, Double?) -> Bool) {
        for (index, feed) in feeds.enumerated() where !take(.feed(feed), Double(index + 1) / Double(feeds.count)) {
            return
        }
    }

    private func readOPML(_ take: (PortableRecord, Double?) -> Bool) throws(ToolFailure) {
        let parser = OPMLParser()
        // `finish` throws the error again.
        try input.read { bytes throws(ToolFailure) in (try? parser.feed(bytes)) != nil }
        let document = try ToolFailure.wrapping(.badData, subject: input.name) { try parser.finish() }
        pass(document.subscriptions.map { PortableFeed($0) }, to: take)
        if let emptiness = document.emptiness { throw ToolFailure(.badData, "\(input.name): \(emptiness)") }
        guard document.isTruncated else { return }
        throw ToolFailure(.badData, "\(input.name): is damaged: it breaks off; the feeds before that are imported")
    }

    private func readState(_ tell: (String) -> Void, _ take: (PortableRecord, Double?) -> Bool) throws(ToolFailure) {
        var reader = StateReader()
        var failure: MovingError?
        let bytes = try input.bytes(upTo: Self.stateBytes)
        do throws(MovingError) { try reader.read(bytes, take: take) } catch { failure = error }
        for name in reader.unknown.sorted() { tell("\(input.name): skipped unknown '\(name)'") }
        if reader.refused > 0 { tell("\(input.name): skipped \(counted(reader.refused, "incomplete record"))") }
        if let failure { throw ToolFailure(.badData, "\(input.name): \(failure)") }
    }

    private func readDatabase(of program: ForeignProgram, _ take: (PortableRecord) -> Bool) throws(ToolFailure) {
        let list = program == .newsboat ? NewsboatList.feeds(in: addresses ?? "") : []
        let names = Dictionary(list.map { ($0.url, $0) }, uniquingKeysWith: { $1 })
        try ToolFailure.wrapping(.badData, subject: input.name) {
            try foreign?.read { record in
                guard case .feed(var feed) = record, let named = names[feed.url] else { return take(record) }
                feed.tags = named.tags
                feed.settings = named.settings
                return take(.feed(feed))
            }
        }
    }
}

extension PortableRecord {
    /// The same with titles as plain text.
    fileprivate var withPlainNames: PortableRecord {
        switch self {
        case .feed(var feed):
            feed.title = feed.title.flatMap(PlainName.read)
            return .feed(feed)
        case .episode(var episode):
            episode.identity.title = episode.identity.title.flatMap(PlainName.read)
            return .episode(episode)
        case .policy, .setting, .output, .listening: return self
        }
    }
}

extension PortableFeed {
    init(_ subscription: Subscription) {
        self.init(url: subscription.url, title: subscription.title, tags: subscription.tags)
    }
}
