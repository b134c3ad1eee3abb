internal import CommandLineTool
internal import ControlLanguage

/// A list command whose pages podcastctl puts together: `--limit` may exceed a page, and `--after` continues a list.
protocol ContinuedList: CommandVerb {
    static var afterHelp: String { get }
    var limit: Int { get set }
    /// Sets the row after which the page begins: what `--after` says.
    mutating func begin(after word: String, _ view: View) throws(ToolFailure)
    /// Sets the last row of a page as the one after which the next page begins.
    mutating func continueAfter(_ reply: Reply)
    static func rowCount(_ reply: Reply) -> Int
    static func hasAfter(_ reply: Reply) -> Bool
    /// Appends the rows of the next page.
    static func append(_ page: Reply, to reply: inout Reply)
}

extension ContinuedList {
    static var after: OptionDeclaration { OptionDeclaration("after", nil, "ID", help: afterHelp) }

    static func adjust(_ subcommand: inout SubcommandDeclaration) { subcommand.options.append(after) }

    static func run(_ line: CommandLineUse) throws(ToolFailure) -> ExitStatus {
        var request = try command(line)
        try line.checkTemplate(Reply.members)
        let view = try line.connect()
        let wanted = line.wantedRows(default: request.limit)
        if let word = line.parsed.text(after) { try request.begin(after: word, view) }
        var reply = try view.call(request)
        var count = rowCount(reply)
        while count < wanted, hasAfter(reply) {
            request.continueAfter(reply)
            request.limit = min(largestPage, wanted - count)
            append(try view.call(request), to: &reply)
            // A page that brings nothing new would be followed for ever.
            if rowCount(reply) == count { break }
            count = rowCount(reply)
        }
        return try finish(reply, view)
    }
}
