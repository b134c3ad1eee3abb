public import CommandLineTool
internal import GatewayKit

extension HookProgram {
    static let socket = GatewayOptions.socket
    static let config = GatewayOptions.config("Events and programs", name: "hooks.conf")
    static let check = OptionDeclaration(
        flag: "check", help: "Check the file, print the programs of each event, and exit.")

    /// Help, manual and completions come from it.
    public static var program: ProgramDeclaration {
        ProgramDeclaration(
            "podcast-hooks", "Run programs on events of the podcast player.",
            details: [
                "Each line below [hooks] of the file is 'EVENT = PROGRAM ARGUMENT…'; an event may have several lines. PROGRAM is "
                    + "an absolute path. Arguments with spaces are enclosed in double quotation marks; there is no shell.",
                "The program reads the event from standard input: one line of JSON with 'event', 'time' and, depending on the "
                    + "event, 'episode' or 'episodes' (as in podcastd-protocol(7)), 'state', 'position', 'duration' and 'reason'. It "
                    + "inherits no other descriptor and a small environment, with PODCASTD_EVENT and PODCASTD_SOCKET. "
                    + "What it writes is logged line by line, and its exit status if that is not 0.",
                "Events:",
            ] + HookEvent.allCases.map { "\($0.rawValue): \($0.help)" },
            options: [socket, config, check],
            manual: ManualNotes(
                statuses: [.success, .usage, .software, .protocolFault, .noPermission, .configuration],
                environment: [
                    .init("PODCASTD_SOCKET", "The daemon's control socket; --socket takes precedence."),
                    .init("NOTIFY_SOCKET", "Set by systemd; see sd_notify(3)."),
                ],
                files: [
                    .init(
                        "~/.config/podcastd/hooks.conf",
                        "Below [hooks] 'EVENT = PROGRAM ARGUMENT…'; below [limits] 'time = SECONDS' (default: 30; then the program "
                            + "gets SIGTERM, and SIGKILL five seconds later), 'programs = N' (default: 2; programs that run at the same "
                            + "time) and 'waiting = N' (default: 20; programs that wait for others; the oldest are dropped)."
                    )
                ],
                examples: [
                    .init("podcast-hooks --check", "Report unknown events and missing programs."),
                    .init("new-episodes = /usr/local/bin/announce --short", "A line for the file."),
                ], seeAlso: ["podcastctl(1)", "podcastd(8)", "podcastd-protocol(7)"]))
    }
}
