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
        #expect(throws: ControlError.self) { try ApplyChanges(params: ["device": .string(name), "changes": []]) }
        try expectEqual(NoteDevice(params: ["name": "kitchen radio"]).name, "kitchen radio")
    }
}
