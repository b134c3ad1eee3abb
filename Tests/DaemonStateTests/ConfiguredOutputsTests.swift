import Configuration
@testable import DaemonCore
import PodcastModel
import TestSupport
import Testing

/// The outputs of the configuration, and the records of what users set.
@Suite struct ConfiguredOutputsTests {
    private func outputs(_ lines: String) throws -> ConfiguredOutputs {
        var settings = Settings()
        expectEqual(settings.read("[outputs]\n" + lines, file: "podcastd.conf", as: .configFile), [])
        return try ConfiguredOutputs(settings)
    }

    @Test func aRecordDoesNotRepeatWhatTheConfigurationSays() throws {
        let configured = try outputs("kitchen = raw:/tmp/kitchen\n")
        let kitchen = OutputSetup("kitchen", "raw:/tmp/kitchen", isEnabled: false, volume: 20, delay: -80)
        let porch = OutputSetup("porch", "null", volume: 70)
        var session = PlayerSession()
        session.outputs = configured.changes(in: [kitchen, porch])
        expectContains(
            session.text,
            #"{"name":"kitchen","enabled":false,"volume":20,"delay":-80},"#
                + #"{"name":"porch","specification":"null","enabled":true,"volume":70,"delay":0}"#)
        expectEqual(configured.changes(in: configured.setups), [])
        let records = configured.changes(in: [kitchen, porch])
        expectEqual(configured.setups(with: records), [kitchen, porch])
        try expectEqual(outputs("attic = null\n").setups(with: records), [OutputSetup("attic", "null"), porch])
        try expectEqual(
            outputs("kitchen = wav:/tmp/other\n").setups(with: records).first,
            OutputSetup("kitchen", "wav:/tmp/other", isEnabled: false, volume: 20, delay: -80))
    }

    @Test(arguments: [
        (#"{"name":"a","specification":null,"enabled":true,"volume":70,"delay":0}"#, OutputSetup("a", volume: 70)),
        (#"{"name":"a","volume":900,"delay":-90000}"#, OutputSetup("a", volume: 100, delay: -1_000)),
        (#"{"volume":1}"#, nil),
    ])
    func aRecordIsReadWithinItsBounds(text: String, expected: OutputSetup?) {
        expectEqual(PlayerSession(parsing: Array("{\"outputs\":[\(text)]}".utf8))?.outputs.first, expected)
    }

    @Test func anUnreadableSpecificationOfARecordIsLeftOut() throws {
        try expectEqual(outputs("a = null\n").setups(with: [OutputSetup("b", "trumpet:loud")]).map(\.name), ["a"])
    }

    @Test func twoOutputsOfOneDeviceAreRefused() {
        for lines in ["a = http\nb = http:Radio\n", "a = snapcast:host\nb = snapcast:host:4953?control=9\n"] {
            #expect(throws: InvalidOutput.self) { try outputs(lines) }
        }
        #expect(throws: Never.self) { try outputs("a = null\nb = null\n") }
    }
}
