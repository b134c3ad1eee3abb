internal import CommandLineTool
internal import FeedParsing
internal import FeedRefresh
internal import JSON
internal import OPML
internal import PodcastModel

extension RefreshCommands {
    /// `podcast-refresh inspect FILE|URL|-`. Opens no library.
    func inspect(_ arguments: ParsedArguments, _ output: ToolOutput) throws(ToolFailure) -> ExitStatus {
        let kind = arguments.text(RefreshDeclaration.kind) ?? "feed"
        guard kind == "feed" || kind == "opml" else {
            throw ToolFailure(.usage, "documents of kind '\(kind)' cannot be inspected yet")
        }
        var worst = ExitStatus.success
        for word in arguments.texts(RefreshDeclaration.document) {
            let status = try inspect(word, kind, arguments, output)
            if status != .success { worst = status }
        }
        return worst
    }

    private func inspect(
        _ word: String, _ kind: String, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        let source = DocumentSource(word)
        let isJSON = arguments.isSet(RefreshDeclaration.json)
        if kind == "opml" {
            let type = arguments.text(RefreshDeclaration.contentType)
            let reader = try read(source, arguments) { answer in
                OPMLReader(contentType: type ?? answer?.contentType)
            }
            return try print(reader.finish(), word, isJSON, output)
        }
        return isJSON
            ? try inspectFeedAsJSON(source, arguments, output) : try inspectFeed(source, word, arguments, output)
    }

    private func inspectFeed(
        _ source: DocumentSource, _ word: String, _ arguments: ParsedArguments, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        let items = InspectionText.Items()
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
        let writer = FeedJSONWriter(output)
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
        _ result: Result<OPMLDocument, OPMLError>, _ word: String, _ isJSON: Bool, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        if isJSON {
            switch result {
            case .success(let document): try output.line(InspectionJSON.value(of: document).text)
            case .failure(let error): try output.line(InspectionJSON.value(of: error).text)
            }
            return .success
        }
        switch result {
        case .success(let document):
            for line in InspectionText.lines(of: document) { try output.line(SafeText.line(line)) }
            return .success
        case .failure(let error):
            tell("\(word): \(error)")
            return .badData
        }
    }
}
