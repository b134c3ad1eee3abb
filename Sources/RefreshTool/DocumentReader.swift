internal import CommandLineTool
internal import FeedDocuments
internal import FeedRefresh
internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// Takes a document in pieces and comes to a conclusion.
protocol DocumentReader: AnyObject {
    /// Takes the next bytes. Returns false when more of them are of no use.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// Reads a feed and hands its items on as they come, so that memory does not grow with their number.
final class FeedReader: DocumentReader {
    /// Stands between the parser, which cannot be stopped by an item, and a handler that may fail.
    private final class Items {
        let handler: (Item) throws(ToolFailure) -> Void
        var failure: ToolFailure?

        init(_ handler: @escaping (Item) throws(ToolFailure) -> Void) { self.handler = handler }

        func take(_ item: Item) {
            guard failure == nil else { return }
            do throws(ToolFailure) { try handler(item) } catch { failure = error }
        }
    }

    private let items: Items
    private var parser: FeedParser?
    private var failure: FeedParsingError?

    /// A reader of one document; when `itemHandler` fails, nothing more is read and `finish` throws its error.
    init(baseURL: String, contentType: String?, itemHandler: @escaping (Item) throws(ToolFailure) -> Void) {
        let items = Items(itemHandler)
        self.items = items
        parser = FeedParser(baseURL: baseURL, contentType: contentType, itemHandler: items.take)
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(FeedParsingError) {
            try parser?.feed(bytes)
            return items.failure == nil
        } catch {
            failure = error
            return false
        }
    }

    /// What was read, without its items.
    func finish() throws(ToolFailure) -> Result<FeedDocument, FeedParsingError> {
        let result = conclusion()
        if let failure = items.failure { throw failure }
        return result
    }

    private func conclusion() -> Result<FeedDocument, FeedParsingError> {
        if let failure { return .failure(failure) }
        do throws(FeedParsingError) {
            guard let parser = parser.take() else { return .failure(.notAFeed(reason: "empty")) }
            return .success(try parser.finish())
        } catch {
            return .failure(error)
        }
    }
}

/// Reads a list of subscriptions.
final class OPMLReader: DocumentReader {
    private var parser: OPMLParser?
    private var failure: OPMLError?

    init(contentType: String?) { parser = OPMLParser(contentType: contentType) }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(OPMLError) {
            try parser?.feed(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    func finish() -> Result<OPMLDocument, OPMLError> {
        if let failure { return .failure(failure) }
        do throws(OPMLError) {
            guard let parser = parser.take() else { return .failure(.notOPML(reason: "empty")) }
            return .success(try parser.finish())
        } catch {
            return .failure(error)
        }
    }
}

/// Where a document comes from, as the command line names it.
enum DocumentSource {
    case file(String)
    case standardInput
    case url(String)

    init(_ word: String) {
        if word == "-" {
            self = .standardInput
        } else if WebAddress.isWeb(word) {
            self = .url(word)
        } else {
            self = .file(word)
        }
    }

    /// Reads a file in pieces, so that memory grows with what the reader keeps and not with the text.
    ///
    /// - Throws: `noInput` when it cannot be opened, `ioError` when reading fails.
    static func read(path: String?, into reader: some DocumentReader) throws(ToolFailure) {
        var descriptor: FileDescriptor?
        if let path {
            do throws(SystemError) {
                descriptor = try FileDescriptor.openForReading(path)
            } catch {
                throw ToolFailure(.noInput, "\(path): \(error.reason)")
            }
        }
        let number = descriptor?.raw ?? 0
        do throws(SystemError) {
            while true {
                let piece = try FileDescriptor.read(number, upTo: 65_536)
                if piece.isEmpty || !piece.withUnsafeBytes(reader.take) { return }
            }
        } catch {
            throw ToolFailure(.ioError, "\(path ?? "standard input"): \(error.reason)")
        }
    }
}

/// Leads one answer's body to a reader that is made once the answer is known.
final class DocumentDownload<Reader: DocumentReader>: FeedTransferReceiver {
    private let makeReader: (FeedAnswer) -> Reader
    private var answer: FeedAnswer?
    private var result: Result<Reader, FetchFailure>?
    private var reader: Reader?

    init(_ makeReader: @escaping (FeedAnswer) -> Reader) { self.makeReader = makeReader }

    /// Fetches and waits.
    ///
    /// - Throws: a failure with the status of `FetchFailure.exitStatus`.
    func run(_ url: String, over transport: any FeedTransport) throws(ToolFailure) -> Reader {
        transport.start(FeedRequest(url: url), as: 0, receiver: self)
        while true {
            transport.run(waiting: .seconds(1))
            switch result {
            case nil: continue
            case .success(let reader): return reader
            case .failure(let failure):
                throw ToolFailure(failure.exitStatus, "\(HTTPURL.withoutCredentials(url)): \(failure)")
            }
        }
    }

    func transfer(_ number: Int, _ event: FeedTransferEvent) {
        switch event {
        case .redirected: break
        case .answered(let answer):
            if answer.status == 200 { reader = makeReader(answer) }
            self.answer = answer
        case .received(let bytes):
            guard result == nil, let reader else { break }
            // What a reader has no use for is not waited for: letting the transport go ends the transfer.
            if !reader.take(bytes) { result = .success(reader) }
        case .ended(.failure(let failure)): result = result ?? .failure(failure)
        case .ended(.success):
            result = result ?? reader.map { .success($0) } ?? .failure(.status(answer?.status ?? 0))
        }
    }
}

extension FetchFailure {
    /// The exit status: whether another attempt may help, and whether the server or its document is the cause.
    var exitStatus: CommandLineTool.ExitStatus {
        if isTemporary { return .tryAgain }
        return switch self {
        case .status, .loginRejected, .tooManyRedirects, .insecure: .unavailable
        default: .badData
        }
    }
}
