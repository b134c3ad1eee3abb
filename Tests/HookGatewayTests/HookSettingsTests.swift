import Configuration
import PodcastModel
import TestSupport
import Testing

@testable import HookGateway

@Suite struct HookSettingsTests {
    @Test func theFileIsRead() {
        let (settings, problems) = HookSettings.file.read(
            """
            # Comment
            [hooks]
            paused = /usr/bin/lamp on "living room" ""
            paused = /usr/bin/log
            new-episodes = /opt/announce $HOME `x` 'y' \\z
            [limits]
            time = 5
            programs = 4
            waiting = 0
            """)
        #expect(problems.isEmpty)
        expectEqual(
            settings.hooks,
            [
                Hook(event: .paused, program: "/usr/bin/lamp", arguments: ["on", "living room", ""], line: 3),
                Hook(event: .paused, program: "/usr/bin/log", arguments: [], line: 4),
                Hook(
                    event: .newEpisodes, program: "/opt/announce", arguments: ["$HOME", "`x`", "'y'", "\\z"], line: 5),
            ])
        #expect(settings.timeLimit == .seconds(5) && settings.programs == 4 && settings.waiting == 0)
        expectEqual(HookSettings.file.read("").settings.timeLimit, .seconds(30))
    }

    @Test(
        arguments: [
            ("[hooks]\nstarted = /bin/true", 2, "unknown event 'started'; the events are episode-started,"),
            ("[hooks]\npaused = true", 2, "absolute path"), ("[hooks]\n\npaused =", 3, "absolute path"),
            ("[hooks]\npaused = \"/bin/true", 2, "quotation mark"),
            ("[limits]\ntime = 0", 2, "time must be a whole number from 1 to 3600"),
            ("[limits]\nprograms = 17", 2, "from 1 to 16"), ("[limits]\nwaiting = many", 2, "from 0 to 1000"),
            ("[limits]\nx = 1", 2, "unknown setting 'x' in section [limits]"),
            ("paused = /bin/true", 1, "unknown setting"),
            ("nonsense", 1, "neither a section nor"),
        ])
    func aMistakeIsReportedWithItsLine(_ text: String, _ line: Int, _ what: String) {
        let problems = HookSettings.file.read(text).problems
        expectEqual(problems.map(\.line), [line])
        expectEqual(problems.first?.message.contains(what), true, "\(problems)")
    }

    @Test func allMistakesAreReported() {
        let problems = HookSettings.file.read("[hooks]\na = /x\nnonsense\nb = /y\n").problems
        expectEqual(problems.map(\.line), [2, 3, 4])
    }
}
