import CommandLineTool
import Configuration
import Foundation
import PodcastModel
import Testing
import TestSupport

@Suite struct SettingsTests {
    @Test func everyDefaultIsAnAcceptedValue() {
        for declaration in SettingTable.all {
            expectEqual(declaration.objection(to: declaration.defaultValue), nil, "\(declaration.key)")
        }
    }

    @Test(arguments: [
        ("playback.sleep_fade", "2m", "120"), ("playback.skip_start", "1:30", "90"),
        ("output.close_after", "1d", "86400"),
        ("output.close_after", "1h30m", "5400"), ("cache.size", "2048M", "2G"), ("playback.speed", "1.33", "1.35"),
        ("playback.speed", "2x", "2"), ("playback.loudness", "-16", "-16"), ("library.backups_kept", "+7", "7"),
    ])
    func aValueHasOneSpelling(key: String, typed: String, stored: String) throws {
        var settings = Settings()
        try settings.set(key, to: typed, from: .client)
        expectEqual(settings[key], stored)
    }

    /// "such as 30, 90 or 10m": the words after it that are values.
    @Test func theExamplesOfARefusalAreAccepted() throws {
        for declaration in SettingTable.all {
            for wrong in ["-", "99999999999"] {
                guard let refusal = declaration.objection(to: wrong), let place = refusal.range(of: "such as ") else {
                    continue
                }
                let examples = refusal[place.upperBound...].split { $0 == " " || $0 == "," }.filter { $0 != "or" }
                #expect(!examples.isEmpty)
                for example in examples {
                    expectEqual(declaration.objection(to: String(example)), nil, "\(declaration.key): \(refusal)")
                }
            }
        }
    }

    @Test func aTimeIsSpelledTheSameForAllFeedsAndForOne() throws {
        let all = try #require(SettingTable.declaration("playback.skip_start"))
        for value in ["30", "90s", "1m", "1h", "1:30", "3600", "2h", "1d", "1.5", "3601", "soon", "-1", ""] {
            let own = FeedSetting.skipStart.objection(to: value)
            expectEqual(own, all.objection(to: value).map { "skip_start \($0)" }, "\(value)")
        }
        expectEqual(FeedSetting.skipEnd.canonical("1:30"), "90")
        expectEqual(FeedSetting.refresh.canonical("120m"), "2h")
    }

    @Test func keysAreUniqueAndEverySectionHasADescription() {
        expectEqual(Set(SettingTable.all.map(\.key)).count, SettingTable.all.count)
        let sections = Set(SettingTable.sections.map(\.name))
        for declaration in SettingTable.all {
            expectContains(sections, declaration.section)
            #expect(!declaration.help.isEmpty)
        }
    }

    @Test func aLaterOriginTakesPrecedenceUntilItIsRemoved() throws {
        var settings = Settings()
        expectEqual(settings.origin(of: "cache.size"), .default)
        try settings.set("cache.size", to: "1G", from: .commandLine)
        #expect(settings.read("[cache]\nsize = 500M\n", file: "x.conf", as: .configFile).isEmpty)
        try settings.set("cache.size", to: "600M", from: .client)
        expectEqual(settings.bytes("cache.size"), 1 << 30)
        try settings.set("cache.size", to: nil, from: .commandLine)
        expectEqual(settings.bytes("cache.size"), 600 << 20)
        try settings.set("cache.size", to: nil, from: .client)
        expectEqual(settings.bytes("cache.size"), 500 << 20)
        expectEqual(settings.origin(of: "cache.size"), .configFile)
    }

    @Test func unknownKeysAndBadValuesAreReportedWithTheirLineAndTheOthersApply() {
        var settings = Settings()
        let text = """
            ; a comment
            sink = null
            [output]
            sink = pipe:aplay -f cd; true
            close_after = soon
            [cache]
            sink = null
            colour = red
            nonsense
            [weather]
            rain = yes
            """
        let problems = settings.read(text, file: "p.conf", as: .configFile).map(\.description)
        expectEqual(
            problems,
            [
                "p.conf:2: setting before the first [section]",
                "p.conf:5: output.close_after must be a time from 0 to 86400 seconds, such as 30, 1:30, 10m or 2h",
                "p.conf:7: sink belongs under [output]",
                "p.conf:8: unknown setting colour in [cache]",
                "p.conf:9: cannot parse this line",
                "p.conf:11: unknown section [weather]",
            ])
        expectEqual(settings["output.sink"], "pipe:aplay -f cd; true")
    }

    @Test func aLineThatIsTooLongIsReportedAndNotCut() {
        var settings = Settings()
        let text = "[output]\nsink = pipe:" + String(repeating: "x", count: 5000) + "\nclose_after = 20\n"
        expectEqual(settings.read(text, file: "p", as: .configFile).map(\.line), [2])
        expectEqual(settings["output.sink"], "alsa")
        expectEqual(settings.seconds("output.close_after"), 20)
    }

    @Test func everyBadLineIsReported() {
        var settings = Settings()
        let problems = settings.read("[cache]\none\ntwo\nsize = 1G\nthree\n", file: "p", as: .configFile)
        expectEqual(problems.map(\.line), [2, 3, 5])
        expectEqual(settings.bytes("cache.size"), 1 << 30)
    }

    @Test func settingsOfClientsAreReadBackAsTheyWereWritten() throws {
        var settings = Settings()
        try settings.set("playback.rebuffer", to: "5", from: .client)
        try settings.set("cache.size", to: "3G", from: .client)
        var again = Settings()
        #expect(again.read(settings.text(of: .client), file: "settings", as: .client).isEmpty)
        expectEqual(again, settings)
    }

    @Test(arguments: ["/a\nb", "/a\tb", " /a", "/a ", "/" + String(repeating: "x", count: 4096)])
    func valuesThatAFileCannotKeepAreRefused(value: String) {
        var settings = Settings()
        for key in ["network.ca_file", "output.sink"] {
            #expect(throws: SettingProblem.self) { try settings.set(key, to: value, from: .client) }
        }
    }

    @Test func theLongestValueIsReadBackAsItWasWritten() throws {
        var settings = Settings()
        try settings.set("output.sink", to: String(repeating: "x", count: 4094 - 7), from: .client)
        var again = Settings()
        #expect(again.read(settings.text(of: .client), file: "settings", as: .client).isEmpty)
        expectEqual(again, settings)
    }

    @Test(arguments: [("90", 90), ("10m", 600), ("2h", 7200), ("1d", 86_400)])
    func durationsCanHaveUnits(text: String, seconds: Int) throws {
        var settings = Settings()
        try settings.set("playback.disconnect_after", to: text, from: .client)
        expectEqual(settings.seconds("playback.disconnect_after"), seconds)
    }

    @Test(arguments: ["", "-1", "1w", "9999999999999999999d", "1 m", "m"])
    func invalidDurationsAreRefused(text: String) {
        var settings = Settings()
        #expect(throws: SettingProblem.self) {
            try settings.set("playback.disconnect_after", to: text, from: .client)
        }
    }

    @Test func theCommentedConfigFileReadsAsDefaults() {
        var settings = Settings()
        #expect(settings.read(SettingsManual.configFile, file: "etc", as: .configFile).isEmpty)
        expectEqual(settings, Settings())
        let uncommented = SettingsManual.configFile.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("#") && !$0.hasPrefix("# ") ? $0.dropFirst() : $0 }.joined(separator: "\n")
        #expect(settings.read(uncommented, file: "etc", as: .configFile).isEmpty)
        for declaration in SettingTable.all { expectEqual(settings[declaration.key], declaration.defaultValue) }
    }

    @Test(
        arguments: [
            ("cach.size", "cache.size"), ("daemon.loglevel", "daemon.log_level"), ("network.jobs", "refresh.jobs"),
            ("close_after", "output.close_after"), ("playback.rebufer", "playback.rebuffer"), ("weather.rain", nil),
        ] as [(String, String?)])
    func aMisspelledKeyGetsASuggestion(written: String, meant: String?) {
        expectEqual(SettingTable.closest(to: written), meant)
    }

    @Test func anOriginKeepsItsValueWhileAnotherTakesPrecedence() throws {
        var settings = Settings()
        try settings.set("playback.rebuffer", to: "5", from: .client)
        try settings.set("playback.rebuffer", to: "8", from: .commandLine)
        expectEqual(settings["playback.rebuffer"], "8")
        expectEqual(settings.value(of: "playback.rebuffer", from: .client), "5")
        expectEqual(settings.value(of: "playback.rebuffer", from: .configFile), nil)
    }

    @Test func clientsCannotChangeSettingsThatNameFilesOrStartPrograms() {
        for declaration in SettingTable.all where declaration.kind == .path || declaration.section == "control" {
            #expect(!declaration.isClientSettable, "\(declaration.key)")
        }
        expectEqual(SettingTable.declaration("output.sink")?.isClientSettable, false)
        expectEqual(SettingTable.declaration("network.proxy")?.isClientSettable, false)
    }

    @Test func sectionsCanHaveTheirOwnLogLevel() throws {
        var settings = Settings()
        try settings.set("daemon.log_level", to: "notice,playback=debug", from: .client)
        #expect(throws: SettingProblem.self) {
            try settings.set("daemon.log_level", to: "notice,weather=debug", from: .client)
        }
    }

    /// Users cannot change /etc/podcastd.conf, whether it exists or not. The system's service names it with --config.
    @Test(arguments: [
        ([], false, "/home/ann/.config/podcastd/podcastd.conf"), ([], true, "/etc/podcastd.conf"),
        (["--config", "/etc/podcastd.conf"], false, "/etc/podcastd.conf"),
    ])
    func namesTheConfigFileThatTheUserCanChange(arguments: [String], isRoot: Bool, file: String) throws {
        let program = ProgramDeclaration("podcastd", "", options: [SettingsReader.configOption])
        let reader = SettingsReader(
            arguments: try program.parse(arguments), options: [], variable: { ["HOME": "/home/ann"][$0] },
            isRoot: isRoot)
        expectEqual(reader.changeableFile, file)
    }

    @Test func namesTheFileInTheFolderThatRootHasSet() throws {
        let program = ProgramDeclaration("podcastd", "", options: [SettingsReader.configOption])
        let reader = SettingsReader(
            arguments: try program.parse([]), options: [], variable: { ["XDG_CONFIG_HOME": "/srv/config"][$0] },
            isRoot: true)
        expectEqual(reader.changeableFile, "/srv/config/podcastd/podcastd.conf")
    }
}
