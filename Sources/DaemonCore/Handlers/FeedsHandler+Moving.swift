internal import ControlLanguage
internal import ControlProtocol
internal import HTTP
internal import JSON
internal import Library
internal import PodcastModel
internal import SerialThreads

/// Import, export, explanations and search in directories, by podcast-refresh, which alone parses untrusted documents.
extension DaemonParts {
    func explain(_ request: ExplainFeed) async throws -> ExplanationReply {
        let feed = try await library.read { try $0.feeds.resolveFeed(request.feed).id.description }
        let document = request.isStructured ? nil : try UnlinkedDocument()
        let outcome = try await programs.searcher.run(["explain"], on: [feed], into: document)
        // No more fits into a reply.
        let text = try document?.text(atMost: 256 << 10)
        if text?.isEmpty ?? (outcome.document == .null) { throw ControlError(outcome) }
        return ExplanationReply {
            $0.text = text
            $0.explanation = text == nil ? outcome.document : nil
            $0.status = outcome.status.flatMap { $0 == 0 ? nil : Int($0) }
        }
    }

    func find(_ request: FindShows) async throws -> FoundShowsReply {
        let outcome = try await programs.searcher.run(["find", "--limit", "\(request.limit)"], on: [request.name])
        guard let reply = FoundShowsReply(json: outcome.document) else { throw ControlError(outcome) }
        if reply.shows.isEmpty, outcome.status == 75 {
            throw ControlError(outcome, "no directory answered: \(reply.failed.map(\.what).joinedText("; "))")
        }
        return reply
    }

    /// Begins a document of the connection. On the server's thread, because the document ends with the connection.
    func openTransfer<Request: Command>(_ request: Request, _ caller: Caller) throws(ControlError) -> Caller {
        try programs.transfers.open(for: caller.connection)
        return caller
    }

    func upload(_ request: UploadDocument, _ caller: Caller) async throws -> UploadReply {
        guard let bytes = Base64.bytes(of: request.data) else {
            throw ControlError(.invalidArgument, "data is not Base64", hint: "RFC 4648, with padding")
        }
        return UploadReply(size: try await programs.transfers.append(bytes, from: caller.connection))
    }

    func importDocument(_ request: ImportDocument, _ caller: Caller) async throws -> ImportReply {
        var form = request.origin.map { ["--from", $0.rawValue] } ?? []
        if request.isTrial { form.append("--try") }
        if let url = request.url { form.append("--url=\(HTTPURL.withoutCredentials(url))") }
        let name = request.source.map { ["--name=\($0)"] } ?? []
        let addresses = request.addresses ?? ""
        let queue = request.queue ?? ""
        if !addresses.isEmpty { form.append("--urls-bytes=\(addresses.utf8.count)") }
        if !queue.isEmpty { form.append("--queue-bytes=\(queue.utf8.count)") }
        let document: UnlinkedDocument
        if let text = request.document {
            // Not the document of the connection, because several clients of a gateway share one connection.
            document = try UnlinkedDocument(text + addresses + queue)
        } else {
            let more = Array((addresses + queue).utf8)
            if !more.isEmpty { _ = try await programs.transfers.append(more, from: caller.connection) }
            document = try programs.transfers.takeIncoming(of: caller.connection)
        }
        let outcome = try await programs.refresher.run(["import"] + form + name, on: ["-"], document: document)
        guard let imported = ImportedDocument(json: outcome.document) else { throw ControlError(outcome) }
        var reply = imported.reply
        if case .object(let members)? = imported.settings {
            let given = members.map { ClientSetting(ClientSetting.Name($0.name), $0.value.stringValue) }
            reply.settings = await importSettings(
                given, imported.outputs, of: request.source, isTrial: request.isTrial)
        }
        if request.isTrial { return reply }
        if reply.rules + reply.retention > 0 { changes.changed(.rules) }
        if reply.playlists > 0 { changes.changed(.playlists) }
        // Imported retention policies are applied at once, like policies that are set here.
        if reply.retention > 0 { decisions.start { [self] in await applyRules() } }
        return reply
    }

    func exportDocument(_ request: ExportDocument, _ caller: Caller) async throws -> DocumentReply {
        if request.hasHistory, !request.isState {
            throw ControlError(.invalidArgument, "history is a part of the state", hint: "export --state --history")
        }
        if request.offset == 0 {
            let document = try await programs.transfers.makeOutgoing(for: caller.connection)
            let options = (request.isState ? ["--state"] : []) + (request.hasHistory ? ["--history"] : [])
            let outcome = try await programs.refresher.run(["export"] + options, into: document)
            guard outcome.status == 0 else { throw ControlError(.storageFailed, outcome.complaint) }
        }
        let (text, next) = try await programs.transfers.page(of: caller.connection, at: request.offset)
        return DocumentReply {
            $0.document = text
            $0.next = next
        }
    }
}
