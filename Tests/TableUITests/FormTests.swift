import TableUI
import Testing
import TestSupport

@Suite struct FormTests {
    private var form: Form {
        Form([
            FormSection(
                title: "Playback",
                fields: [
                    FormField(key: "volume", label: "Volume", kind: .integer(0...100), value: "80", defaultValue: "50"),
                    FormField(key: "mono", label: "Mono", kind: .flag, value: "no"),
                    FormField(key: "order", label: "Order", kind: .choice(["old", "new"]), value: "old"),
                ]),
            FormSection(
                title: "Files",
                fields: [
                    FormField(
                        key: "folder", label: "Folder", kind: .text(maximumBytes: 8), value: "/a", isEditable: false)
                ]),
        ])
    }

    private func drawn(_ form: Form) -> String {
        var form = form
        form.layOut(lines: 6)
        var canvas = Canvas(size: Size(columns: 40, lines: 6))
        var row = TableRow()
        form.draw(on: &canvas, line: 0, glyphs: .unicode, reusing: &row)
        return canvas.text
    }

    private func after(_ events: [Form.Event]) -> Form {
        var form = form
        form.layOut(lines: 6)
        for event in events { _ = form.handle(event) }
        return form
    }

    private func typed(_ text: String) -> [Form.Event] { text.map { .key(Key($0)) } }

    @Test func fieldsAreShownWithTheirValues() {
        expectEqual(
            drawn(form),
            """
            Playback
            › Volume                              80
              Mono                               [ ]
              Order                          < old >
            Files
              Folder                              /a
            """)
    }

    @Test func flagsChoicesAndNumbersChangeByOneKey() {
        var form = after([.stepForward, .down, .edit, .down, .stepForward])
        expectEqual(
            form.handle(.save),
            [
                .save([
                    .init(key: "volume", value: "81"), .init(key: "mono", value: "yes"),
                    .init(key: "order", value: "new"),
                ])
            ])
    }

    @Test func aValueIsTypedAndWrongOnesAreNotSaved() {
        var form = after([.edit, .key(Key(.backspace)), .key(Key(.backspace))] + typed("999") + [.key(Key(.enter))])
        expectEqual(form.field.flatMap(form.problem), "a number from 0 to 100")
        _ = form.handle(.down)
        expectEqual(form.handle(.save), [.refuse("volume")])
        expectEqual(form.field?.key, "volume")
    }

    @Test func escapeKeepsTheFormerValue() {
        let form = after([.edit] + typed("7") + [.key(Key(.escape))])
        #expect(!form.isChanged)
    }

    @Test func aValueThatIsSetBackIsNoChange() { #expect(!after([.stepForward, .stepBack]).isChanged) }

    @Test func theDefaultComesBack() {
        var form = after([.reset])
        expectEqual(form.handle(.save), [.save([.init(key: "volume", value: "50")])])
    }

    @Test func whatIsNotEditableIsRefused() {
        var form = after([.last])
        expectEqual(form.handle(.edit), [.refuse("folder")])
    }

    @Test func whatTheDaemonRefusedIsSaidBesideTheField() {
        var form = after([.stepForward])
        form.noteSaved("volume", fault: "no mixer")
        #expect(form.isChanged)
        expectEqual(form.field.flatMap(form.problem), "no mixer")
        form.noteSaved("volume", fault: nil)
        #expect(!form.isChanged)
    }
}
