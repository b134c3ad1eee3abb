@testable import CommandLineTool
import PodcastModel

/// A program that has one of everything.
enum Example {
    static let jobs = OptionDeclaration("jobs", "j", "N", .integer(1...64), help: "Fetch at most N at once.")
    static let folder = OptionDeclaration("data-dir", nil, "DIR", .folder, help: "Where the library is.")
    static let json = OptionDeclaration(flag: "json", help: "Print JSON.")
    static let force = OptionDeclaration(flag: "force", "f", help: "Also what is not due.")
    static let skip = OptionDeclaration("skip", nil, "FEED", isRepeatable: true, help: "Not this one.")
    static let start = OptionDeclaration("start", nil, "TIME", .time, help: "Begin [here].")
    static let level = ArgumentDeclaration("LEVEL", .choice(["low", "high"]), help: "How much: low or high.")
    static let feeds = ArgumentDeclaration(
        "FEED", isRequired: false, isRepeatable: true, help: "A feed's id, URL or title.")
    static let file = ArgumentDeclaration("FILE", .file, help: "What to read; it's the user's.")

    static let program = ProgramDeclaration(
        "pod-example", "Show what a declaration can do.",
        details: ["A paragraph that is long enough to be broken into several lines when it is shown on a terminal."],
        options: [folder, json],
        subcommands: SubcommandList {
            [
                SubcommandDeclaration(
                    ["refresh"], "Fetch what is due.", group: "Feeds", options: [jobs, force, skip], arguments: [feeds]),
                SubcommandDeclaration(
                    ["seek"], "Go somewhere.", group: "Playback",
                    arguments: [ArgumentDeclaration("TIME", .time, help: "Where to.")]),
                SubcommandDeclaration(
                    ["output", "enable"], "Switch an output on.", group: "System",
                    arguments: [ArgumentDeclaration("NAME", help: "Its name.")]),
                SubcommandDeclaration(
                    ["output", "level"], "Set an output's level.", group: "System", arguments: [level]),
                SubcommandDeclaration(["import"], "Read a list.", group: "Feeds", arguments: [file]),
                SubcommandDeclaration(["secret"], "Not shown.", group: nil),
            ]
        },
        manual: ManualNotes(
            statuses: [.success, .usage, .unavailable], environment: [("NO_COLOR", "No colours when set.")],
            files: [("/etc/example.conf", "Settings.")],
            examples: [("pod-example seek -15", "Go back a little.")], seeAlso: ["podcastd(8)"]))

    static let plain = ProgramDeclaration(
        "pod-plain", "A program without commands.", options: [start],
        arguments: [
            ArgumentDeclaration("FIRST", help: "One."),
            ArgumentDeclaration("MORE", .file, isRequired: false, isRepeatable: true, help: "Others."),
        ])
}
