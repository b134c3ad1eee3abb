internal import CommandLineTool
internal import FeedDocuments
internal import JSON
internal import PodcastModel

/// Writes a feed as one line of JSON while it is read.
///
/// The items come first in the text: what is said of the feed as a whole is known when the last of them has been read.
final class FeedJSONWriter {
    private let output: ToolOutput
    private var bytes: [UInt8] = []
    private var count = 0
    private let notes: InspectedNotes

    init(_ output: ToolOutput, _ notes: InspectedNotes) {
        self.output = output
        self.notes = notes
    }

    func write(_ item: Item) throws(ToolFailure) {
        bytes.removeAll(keepingCapacity: true)
        bytes.append(contentsOf: (count == 0 ? "{\"items\":[" : ",").utf8)
        InspectionJSON.item(item, notes).write(to: &bytes)
        count += 1
        try output.write(contentsOf: bytes)
    }

    /// Ends the document with what was read besides the items.
    func finish(_ result: Result<FeedDocument, FeedParsingError>) throws(ToolFailure) {
        switch result {
        case .success(let document):
            if count == 0 { try output.write("{\"items\":[") }
            try end(InspectionJSON.members(of: document, notes))
        case .failure(let error):
            let members = InspectionJSON.members(of: error)
            if count == 0 { try output.line(JSONValue.object(members).text) } else { try end(members) }
        }
    }

    /// Ends a document whose source failed, so that what was written is JSON all the same.
    func breakOff() throws(ToolFailure) {
        if count == 0 { return }
        try end([.init("outcome", "malformed-recoverable"), .init("truncated", true)])
    }

    private func end(_ members: [JSONValue.Member]) throws(ToolFailure) {
        try output.line("]," + JSONValue.object(members).text.dropFirst())
    }
}
