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
        let type = arguments.text(RefreshDeclaration.contentType)
        if kind == "opml" {
            let reader = try read(source) { answer in OPMLReader(contentType: type ?? answer?.contentType) }
            return try print(reader.finish(), word, isJSON, output)
        }
        let base = arguments.text(RefreshDeclaration.baseURL)
        let reader = try read(source) { answer in
            FeedReader(baseURL: base ?? answer?.url ?? "", contentType: type ?? answer?.contentType)
        }
        return try print(reader.finish(), word, isJSON, output)
    }

    private func read<Reader: DocumentReader>(
        _ source: DocumentSource, _ makeReader: @escaping (FeedAnswer?) -> Reader
    ) throws(ToolFailure) -> Reader {
        switch source {
        case .url(let url):
            return try DocumentDownload<Reader>(makeReader).run(url, over: environment.makeTransport(1))
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
        _ result: Result<FeedDocument, FeedParsingError>, _ word: String, _ isJSON: Bool, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        if isJSON {
            switch result {
            case .success(let document): try print(document, output)
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

    /// Item by item, so that a large feed does not stand in memory a second time as text.
    private func print(_ document: FeedDocument, _ output: ToolOutput) throws(ToolFailure) {
        let head = JSONValue.object(
            InspectionJSON.heading(of: document)
                + [.init("feed", InspectionJSON.channel(document.contents.channel))])
        try output.write(String(head.text.dropLast()))
        try output.write(",\"items\":[")
        var bytes: [UInt8] = []
        for (index, item) in document.contents.items.enumerated() {
            bytes.removeAll(keepingCapacity: true)
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            InspectionJSON.item(item).write(to: &bytes)
            try output.write(contentsOf: bytes)
        }
        try output.line("]}")
    }
}
