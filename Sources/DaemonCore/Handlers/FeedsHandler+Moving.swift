internal import ControlProtocol
internal import JSON
internal import Refreshing
internal import RuleApplying
internal import SerialThreads
internal import SystemCalls
internal import WireMapping

/// Moving in and out, and looking podcasts up: done by podcast-refresh, which parses what strangers wrote.
extension FeedsHandler {
    func find(_ name: String, limit: Int64) -> CommandAnswer {
        decisions.answer { [programs] in
            let outcome = try await programs.searcher.run(["find", "--limit", "\(limit)"], on: [name])
            guard let shows = outcome.document["shows"]?.arrayValue else {
                throw ControlError(outcome.status == 75 ? .unavailable : .feedFailed, outcome.complaint)
            }
            let failures = outcome.document["errors"]?.arrayValue ?? []
            if shows.isEmpty, outcome.status == 75 { throw ControlError(.unavailable, outcome.complaint) }
            return FoundShowsReply(
                shows.compactMap { FoundShowReply(json: $0) },
                failed: failures.map {
                    FailureReply("\($0["directory"]?.stringValue ?? ""): \($0["what"]?.stringValue ?? "")")
                })
        }
    }

    func upload(_ data: String, from connection: ConnectionID) -> CommandAnswer {
        guard let bytes = Base64.bytes(of: data) else {
            return .error(ControlError(.invalidArgument, "data is no Base64", hint: "RFC 4648, with padding"))
        }
        do throws(TransferFailure) { try programs.transfers.open(for: connection) } catch {
            return .error(ControlError(error))
        }
        return decisions.answer { [programs] in
            UploadReply(size: try await programs.transfers.append(bytes, from: connection))
        }
    }

    func importDocument(_ parameters: Parameters, from connection: ConnectionID) -> CommandAnswer {
        let form = parameters.text("from").map { ["--from", $0] } ?? []
        let text = parameters.text("document")
        if text != nil {
            do throws(TransferFailure) { try programs.transfers.open(for: connection) } catch {
                return .error(ControlError(error))
            }
        }
        return decisions.answer { [programs, feedsChanged, decisions, keeper, changes] in
            if let text { _ = try await programs.transfers.append(Array(text.utf8), from: connection) }
            let document = try programs.transfers.takeIncoming(of: connection)
            let outcome = try await programs.refresher.run(["import"] + form, on: ["-"], document: document)
            // The program prints what the command answers.
            guard let reply = ImportReply(json: outcome.document) else {
                throw ControlError(.feedFailed, outcome.complaint)
            }
            feedsChanged()
            if reply.rules + reply.retention > 0 { changes.changed(.rules) }
            if reply.playlists > 0 { changes.changed(.playlists) }
            // What the retention that came drops goes at once, as when it is set here.
            if reply.retention > 0 { decisions.start { await keeper.settle() } }
            return reply
        }
    }

    func export(_ parameters: Parameters, to connection: ConnectionID) -> CommandAnswer {
        let options = parameters.flag("state") ? ["--state"] : []
        let offset = parameters.integer(required: "offset")
        do throws(TransferFailure) { try programs.transfers.open(for: connection) } catch {
            return .error(ControlError(error))
        }
        return decisions.answer { [programs] in
            if offset == 0 {
                let document = try await programs.transfers.makeOutgoing(for: connection)
                let outcome = try await programs.refresher.run(["export"] + options, into: document)
                guard outcome.status == 0 else { throw ControlError(.storageFailed, outcome.complaint) }
            }
            let (text, next) = try await programs.transfers.page(of: connection, at: offset)
            return DocumentReply(text, next: next)
        }
    }
}
