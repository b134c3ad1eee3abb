internal import CommandLineTool
internal import FeedParsing
internal import FeedRefresh
internal import Glibc
internal import OPML
internal import SystemCalls

/// Takes a document in pieces and comes to a conclusion.
protocol DocumentReader: AnyObject {
    /// Takes the next bytes. Returns false when more of them are of no use.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
}

/// Reads a feed.
final class FeedReader: DocumentReader {
    private var parser: FeedParser?
    private var failure: FeedParsingError?

    init(baseURL: String, contentType: String?) {
        parser = FeedParser(baseURL: baseURL, contentType: contentType)
    }

    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(FeedParsingError) {
            try parser?.feed(bytes)
            return true
        } catch {
            failure = error
            return false
        }
    }

    func finish() -> Result<FeedDocument, FeedParsingError> {
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
        } else if word.hasPrefix("http://") || word.hasPrefix("https://") {
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
                descriptor = try FileDescriptor.open(path, O_RDONLY)
            } catch {
                throw ToolFailure(.noInput, "\(path): \(error.reason)")
            }
        }
        let number = descriptor?.raw ?? 0
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 65_536, alignment: 16)
        defer { piece.deallocate() }
        do throws(SystemError) {
            while true {
                let count = try retrying("read \(path ?? "standard input")") {
                    Glibc.read(number, piece.baseAddress, piece.count)
                }
                if count == 0 { return }
                if !reader.take(UnsafeRawBufferPointer(rebasing: piece[..<count])) { return }
            }
        } catch {
            throw ToolFailure(.ioError, error.description)
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
    /// - Throws: `tryAgain` when it failed for now, `badData` when it will not get better by itself.
    func run(_ url: String, over transport: any FeedTransport) throws(ToolFailure) -> Reader {
        transport.start(FeedRequest(url: url), as: 0, receiver: self)
        while true {
            transport.run(waiting: 1000)
            switch result {
            case nil: continue
            case .success(let reader): return reader
            case .failure(let failure):
                throw ToolFailure(failure.isTemporary ? .tryAgain : .badData, "\(url): \(failure)")
            }
        }
    }

    func transfer(_ number: Int, _ event: FeedTransferEvent) {
        switch event {
        case .redirected: break
        case .answered(let answer):
            if answer.status == 200 { reader = makeReader(answer) }
            self.answer = answer
        case .received(let bytes): _ = reader?.take(bytes)
        case .ended(.failure(let failure)): result = .failure(failure)
        case .ended(.success):
            result = reader.map { .success($0) } ?? .failure(.status(answer?.status ?? 0))
        }
    }
}
