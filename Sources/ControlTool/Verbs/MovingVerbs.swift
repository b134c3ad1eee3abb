internal import CommandLineTool
internal import ControlClient
internal import ControlProtocol
internal import PodcastModel
internal import Presentation
internal import SystemCalls

extension ImportDocument: CommandVerb {
    static let file = ArgumentDeclaration("FILE", .file, help: "The document or database, or - for stdin.")

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.arguments = [file] }

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        // The argument is a file, whose contents are sent.
        let reply = try imported(view.text(Self.file) ?? "-", view)
        let status = try finish(reply, view)
        if reply.isTrial == true { return status }
        // What was imported is complete without the feeds that cannot be fetched now.
        if reply.added > 0 { _ = try RefreshFeeds.fetchAdded(view) }
        try RefreshFeeds.adviseTimer(added: reply.added, view)
        return status
    }

    /// Sends a document to the daemon, which imports the document. The daemon's messages name the file.
    func imported(_ file: String, _ view: View) throws(ToolFailure) -> ImportReply {
        let input = try InputFile(file)
        var command = self
        command.source = file == "-" ? nil : file
        if input.isDatabase, let path = try? CurrentProcess.realPath(file) {
            func text(_ path: String) -> String? {
                (try? StoredFile.contents(of: path, limit: ImportDocument.longestList)).flatMap {
                    String(validating: $0, as: UTF8.self)
                }
            }
            let settings = CurrentProcess.variable("XDG_CONFIG_HOME")
            command.addresses = NewsboatFiles.lists(of: path, settings: settings).lazy.compactMap(text).first
            command.queue = text(NewsboatFiles.queue(of: path))
        }
        return try view.call(input.send(view, for: command))
    }

    /// Errors in a document are permanent: its contents are the same at the next attempt.
    static func status(of reply: ImportReply) -> ExitStatus { reply.errors.isEmpty ? .success : .badData }
}

extension ImportReply: ShownReply {
    func show(_ view: View) {
        for line in FeedText.imported(self) { view.line(line) }
        if settings > 0 { view.line("\(counted(settings, "setting")) set") }
        view.report(errors)
    }
}

extension ExportDocument: CommandVerb {
    static let details = ["With --json, subscriptions alone are refused: 'export --state' is JSON."]

    func run(_ view: View) throws(ToolFailure) -> ExitStatus {
        if view.template != nil {
            throw .usage(
                "export prints a document, which has no rows for --format", hint: "'feeds' lists feeds")
        }
        if view.isForProgram, !isState {
            throw .usage(
                "subscriptions are exported as OPML, not as JSON",
                hint: "use 'export --state' for the whole state as JSON, or 'feeds --json' for the feeds")
        }
        try view.withConnection { $0.timeout = nil }
        var command = self
        while true {
            let piece = try view.call(command)
            view.output.write(piece.document)
            try view.output.flush()
            guard let next = piece.next else { return .success }
            command.offset = next
        }
    }
}
