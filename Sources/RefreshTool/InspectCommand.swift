internal import CommandLineTool
internal import FeedDocuments
internal import FeedRefresh
internal import JSON
internal import PodcastModel

extension RefreshCommands {
    /// `podcast-refresh inspect FILE|URL|-`. Opens no library.
    func inspect(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let kind = arguments.text(RefreshDeclaration.kind).flatMap(DocumentKind.init(rawValue:))
        var worst = ExitStatus.success
        for word in arguments.texts(RefreshDeclaration.document) {
            let source = DocumentSource(word)
            let status = try inspect(source, word, kind ?? DocumentKind(of: source), arguments, output)
            if status != .success { worst = status }
        }
        return worst
    }

    private func inspect(
        _ source: DocumentSource, _ word: String, _ kind: DocumentKind, _ arguments: ParsedArguments,
        _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        switch kind {
        case .feed:
            return arguments.isSet(RefreshDeclaration.json)
                ? try inspectFeedAsJSON(source, arguments, output) : try inspectFeed(source, word, arguments, output)
        case .opml:
            let type = arguments.text(RefreshDeclaration.contentType)
            let reader = try read(source, arguments) { answer in OPMLReader(contentType: type ?? answer?.contentType) }
            let answer = Inspection(
                reader.finish(), json: InspectionJSON.value, lines: InspectionText.lines, failure: InspectionJSON.value)
            return try print(answer, word, arguments, output)
        case .chapters:
            let document = try readWhole(source, arguments, limit: ChapterDocument.documentBytes)
            let result = Result { () throws(ChapterError) in try document.chapters() }
            let answer = Inspection(
                result, json: InspectionJSON.value, lines: InspectionText.lines, failure: InspectionJSON.value)
            return try print(answer, word, arguments, output)
        case .transcript:
            let document = try readWhole(source, arguments, limit: TranscriptDocument.documentBytes)
            let result = Result { () throws(TranscriptError) in try document.transcript(name: word) }
            let answer = Inspection(
                result, json: InspectionJSON.value, lines: InspectionText.lines, failure: InspectionJSON.value)
            return try print(answer, word, arguments, output)
        }
    }

    private func readWhole(
        _ source: DocumentSource, _ arguments: ParsedArguments, limit: Int
    ) throws(ToolFailure) -> WholeDocument {
        let type = arguments.text(RefreshDeclaration.contentType)
        return try read(source, arguments) { answer in
            WholeDocument(contentType: type ?? answer?.contentType, limit: limit)
        }
    }

    private func notes(_ arguments: ParsedArguments) -> InspectedNotes {
        arguments.text(RefreshDeclaration.notes).flatMap(InspectedNotes.init(rawValue:)) ?? .text
    }

    private func inspectFeed(
        _ source: DocumentSource, _ word: String, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        let items = InspectionText.Items(notes(arguments))
        let reader = try readFeed(source, arguments) { (item) throws(ToolFailure) in items.add(item) }
        switch try reader.finish() {
        case .success(let document):
            for line in InspectionText.lines(of: document, items) { try output.line(SafeText.line(line)) }
            return .success
        case .failure(let error):
            tell("\(word): \(error)")
            return .badData
        }
    }

    private func inspectFeedAsJSON(
        _ source: DocumentSource, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        let writer = FeedJSONWriter(output, notes(arguments))
        do throws(ToolFailure) {
            let reader = try readFeed(source, arguments) { (item) throws(ToolFailure) in try writer.write(item) }
            try writer.finish(reader.finish())
            return .success
        } catch {
            try writer.breakOff()
            throw error
        }
    }

    private func readFeed(
        _ source: DocumentSource, _ arguments: ParsedArguments,
        itemHandler: @escaping (Item) throws(ToolFailure) -> Void
    ) throws(ToolFailure) -> FeedReader {
        let base = arguments.text(RefreshDeclaration.baseURL)
        let type = arguments.text(RefreshDeclaration.contentType)
        return try read(source, arguments) { answer in
            FeedReader(
                baseURL: base ?? answer?.url ?? "", contentType: type ?? answer?.contentType, itemHandler: itemHandler)
        }
    }

    private func read<Reader: DocumentReader>(
        _ source: DocumentSource, _ arguments: ParsedArguments, _ makeReader: @escaping (FeedAnswer?) -> Reader
    ) throws(ToolFailure) -> Reader {
        switch source {
        case .url(let url):
            // Only what is fetched asks the settings: a file can be inspected whatever they say.
            let transport = try makeTransport(readSettings(arguments))
            return try DocumentDownload<Reader>(makeReader).run(url, over: transport)
        case .file(let path):
            let reader = makeReader(nil)
            try DocumentSource.read(path: path, into: reader)
            return reader
        case .standardInput:
            let reader = makeReader(nil)
            try DocumentSource.read(path: nil, into: reader)
            return reader
        }
    }

    private func print(
        _ answer: Inspection, _ word: String, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        if arguments.isSet(RefreshDeclaration.json) {
            try output.line(answer.json.text)
            return .success
        }
        switch answer.text {
        case .success(let lines):
            for line in lines { try output.line(SafeText.line(line)) }
            return .success
        case .failure(let error):
            tell("\(word): \(error.reason)")
            return .badData
        }
    }
}

/// What is printed of a document that was read whole.
private struct Inspection {
    struct Refusal: Error {
        var reason: String
    }

    let json: JSONValue
    let text: Result<[String], Refusal>

    init<Document, Failure: CustomStringConvertible>(
        _ result: Result<Document, Failure>, json: (Document) -> JSONValue, lines: (Document) -> [String],
        failure: (Failure) -> JSONValue
    ) {
        switch result {
        case .success(let document):
            self.json = json(document)
            text = .success(lines(document))
        case .failure(let error):
            self.json = failure(error)
            text = .failure(Refusal(reason: error.description))
        }
    }
}
