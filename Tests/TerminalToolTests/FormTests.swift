import PodcastModel
import Testing
import TestSupport

@testable import TerminalTool

@Suite struct FormTests {
    private var form: Form {
        Form([
            FormSection(
                title: "Playback",
                fields: [
                    FormField(
                        key: "volume", label: "Volume", kind: .integer(0...100, step: 5, unit: "%"), value: "80",
                        defaultValue: "50"),
                    FormField(key: "mono", label: "Mono", kind: .flag, value: "no"),
                    FormField(key: "order", label: "Order", kind: .choice(["old", "new"]), value: "old"),
                ]),
            FormSection(
                title: "Files",
                fields: [
                    FormField(
                        key: "folder", label: "Folder", kind: .text(maximumBytes: 8), value: "/a", isEditable: false),
                    FormField(key: "password", label: "Password", kind: .secret, value: "…"),
                ]),
        ])
    }

    private func drawn(_ form: Form, columns: Int = 40) -> String {
        var form = form
        form.layOut(lines: 7)
        var canvas = Canvas(size: Size(columns: columns, lines: 7))
        form.draw(on: &canvas, line: 0, glyphs: .unicode)
        return canvas.text
    }

    /// Presses keys by their spelling, separated by spaces.
    @discardableResult
    private func press(_ keys: String, _ form: inout Form) -> Form.Action? {
        var action: Form.Action?
        for spelling in keys.split(separator: " ") {
            if let key = Key(spelling: String(spelling)) { action = form.handle(key) }
        }
        return action
    }

    private func after(_ keys: String) -> Form {
        var form = form
        form.layOut(lines: 7)
        press(keys, &form)
        return form
    }

    private func saved(_ form: Form) -> [String] {
        var form = form
        guard case .save(let changes)? = press("^S", &form) else { return [] }
        return changes.map { "\($0.key)=\($0.value)" }
    }

    @Test func fieldsAreShownWithTheirValuesAndUnits() {
        expectEqual(
            drawn(after("down")),
            """
            Playback
              Volume            80 %
            › Mono              [ ]
              Order             < old >
            Files
              Folder            /a
              Password          ********
            """)
    }

    @Test func typingGoesIntoTheFieldUnderTheCursorAtOnce() {
        expectEqual(saved(after("backspace 5 tab tab tab s q : x")), ["volume=85", "password=sq:x"])
    }

    @Test func enterGoesToTheNextFieldThatCanBeChangedAndTheLastSaves() {
        var form = after("backspace enter space enter enter")
        expectEqual(form.field?.key, "password")
        expectEqual(
            press("enter", &form), .save([.init(key: "volume", value: "8"), .init(key: "mono", value: "yes")]))
    }

    @Test func tabAndShiftTabMoveBetweenFieldsThatCanBeChanged() {
        expectEqual(after("tab tab tab").field?.key, "password")
        expectEqual(after("tab tab tab back-tab").field?.key, "order")
    }

    @Test func flagsChoicesAndNumbersStepWithoutTyping() {
        expectEqual(saved(after("right down space down right")), ["volume=85", "mono=yes", "order=new"])
    }

    @Test func wrongValuesAreNotSavedAndTheCursorGoesThere() {
        var form = after("9 down")
        expectContains(drawn(form), "809 % *  (a whole")
        expectEqual(press("^S", &form), form.field.map { .refuse($0) })
        expectEqual(form.field?.key, "volume")
    }

    @Test func escapeAsksTheScreenAndKeepsWhatWasTyped() {
        var form = after("7")
        expectEqual(press("escape", &form), .cancel)
        #expect(form.isChanged)
    }

    @Test func aValueThatIsSetBackIsNoChange() {
        #expect(!after("right left").isChanged)
        #expect(!after("1 backspace").isChanged)
    }

    @Test func theDefaultComesBack() { expectEqual(saved(after("^D")), ["volume=50"]) }

    @Test func aKeyRightAfterSavingChangesTheSavedValue() {
        var form = after("right")
        form.noteSaved("volume", fault: nil)
        #expect(!form.isChanged)
        press("left", &form)
        expectEqual(saved(form), ["volume=80"])
    }

    @Test func whatIsNotEditableIsRefused() {
        var form = after("down down down")
        expectEqual(press("x", &form), form.field.map { .refuse($0) })
        expectEqual(form.field?.current, "/a")
    }

    @Test func pastedTextIsOneLineOfTheFieldAndNeverAKey() {
        var form = after("tab tab tab")
        expectEqual(form.paste("two\nlines\u{1B}[2Jq\n"), nil)
        expectEqual(saved(form), ["password=two lines[2Jq"])
        var flag = after("tab")
        expectEqual(flag.paste("yes"), flag.field.map { .refuse($0) })
    }

    @Test func functionKeysAreLeftToTheWindow() {
        var form = form
        expectEqual(press("f1", &form), .unused)
        expectEqual(press("^L", &form), .unused)
    }

    @Test func whatTheDaemonRefusedIsSaidBesideTheField() {
        var form = after("right")
        form.noteSaved("volume", fault: "no mixer")
        #expect(form.isChanged)
        expectEqual(form.field?.problem, "no mixer")
        form.noteSaved("volume", fault: nil)
        #expect(!form.isChanged)
    }

    private func own(_ kind: ValueKind, inherited: String, value: String = "") -> Form {
        Form([
            FormSection(
                title: "", fields: [FormField(key: "k", label: "K", kind: kind, value: value, inherited: inherited)])
        ])
    }

    @Test func aCheckboxWithADefaultHasThreeStates() {
        var form = own(.flag, inherited: "yes")
        expectEqual(drawn(form).split(separator: "\n").first, "› K                 [-] default: yes")
        press("space", &form)
        expectContains(drawn(form), "[x] *")
        press("space", &form)
        expectContains(drawn(form), "[ ] *")
        press("space", &form)
        #expect(!form.isChanged)
    }

    @Test(arguments: [
        (ValueKind.speed, "1.3", "right", "1.35"),
        (.speed, "1.15", "right right left", "1.2"),
        (.loudness, "off", "right right", "-29"),
        (.loudness, "-30", "left", "off"),
        (.interval, "off", "right right", "1h"),
        (.interval, "90m", "right", "2h"),
        (.duration(0...3600, step: 5), "1:30", "right", "95"),
    ]) func aNumberStepsFromWhatHoldsWithoutIt(
        _ kind: ValueKind, _ inherited: String, _ keys: String, _ value: String
    ) {
        var form = own(kind, inherited: inherited)
        press(keys, &form)
        expectEqual(saved(form), ["k=\(value)"])
    }
}
