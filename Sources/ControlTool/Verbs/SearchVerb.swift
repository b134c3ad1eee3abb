internal import CommandLineTool
internal import ControlProtocol

/// `search TEXT…`: `episodes --search TEXT`.
enum SearchVerb {
    static let text = ArgumentDeclaration(
        "TEXT", count: .some, help: "Words, \"phrases\" and word beginnings, see podcastd-search(7).")

    static var subcommand: SubcommandDeclaration {
        var subcommand = VerbSpelling.subcommand(for: ListEpisodes.self)
        subcommand.words = ["search"]
        subcommand.summary = "Search the titles and notes of stored episodes."
        subcommand.details = [
            "The same as 'episodes --search TEXT'. 'find' searches directories for new podcasts, 'said' searches transcripts."
        ]
        subcommand.arguments = [text]
        subcommand.options.removeAll { $0.name == "search" }
        return subcommand
    }
}

/// `new [FEED]`: `episodes --filter is:new`.
enum NewVerb {
    static let words = ["new"]

    static var subcommand: SubcommandDeclaration {
        var subcommand = VerbSpelling.subcommand(for: ListEpisodes.self)
        subcommand.words = words
        subcommand.summary = "List new episodes, of all feeds or of one."
        subcommand.details = ["The same as 'episodes --filter is:new', see podcastd-rules(7)."]
        return subcommand
    }
}
