import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

/// Names of devices, which come from other programs.
@Suite struct DeviceNameTests {
    @Test(arguments: ["", "kitchen\nradio", "\u{1B}[2J"]) func aNameThatIsNotOneLineIsRefused(name: String) throws {
        #expect(throws: ControlError.self) { try NoteDevice(params: ["name": .string(name)]) }
        #expect(throws: ControlError.self) { try RecordActs(params: ["device": .string(name), "acts": []]) }
        try expectEqual(NoteDevice(params: ["name": "kitchen radio"]).name, "kitchen radio")
    }

    @Test func actsAreRecordedUnderANameThatTheDaemonTakes() throws {
        let names = ["", "\u{1B}", "kitchen\nradio", String(repeating: "台", count: 150), "phone"]
        let commands = RecordActs.commands(names.map { ($0, DeviceAct()) })
        let taken = try commands.map { try RecordActs(params: $0.params).device }
        #expect(Set(["unknown", "kitchen radio", "phone"]).isSubset(of: taken), "\(taken)")
        expectEqual(taken.count, 5)
    }
}
