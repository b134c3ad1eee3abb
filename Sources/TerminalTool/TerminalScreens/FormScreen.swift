internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import Presentation

/// A screen that is a form. Forms are made from declarations: of settings, of a feed's settings, of a command's parameters.
final class FormScreen: Screen {
    let title: String
    private let context: ScreenContext
    private let parts: [StatusPart]
    private var form: Form
    /// Whether the fields have come. Until then keys and pastes do nothing.
    private var isLoaded: Bool
    private let read: (FormScreen) -> Void
    private let save: (FormScreen, [Form.Change]) -> Void

    private init(
        _ context: ScreenContext, title: String, parts: [StatusPart] = [], sections: [FormSection] = [],
        read: @escaping (FormScreen) -> Void = { _ in }, save: @escaping (FormScreen, [Form.Change]) -> Void
    ) {
        self.context = context
        self.title = title
        self.parts = parts
        self.read = read
        self.save = save
        form = Form(sections)
        isLoaded = !sections.isEmpty
    }

    var takesText: Bool { true }

    func load() { read(self) }
    func update(_ parts: StatusParts) { if self.parts.contains(where: parts.contains) { read(self) } }

    func draw(on canvas: inout Canvas, lines: Range<Int>) {
        if !isLoaded {
            canvas.put(
                context.isConnected ? "Loading…" : ScreenContext.notConnected, column: 2,
                line: lines.lowerBound + 1, role: .dim)
        }
        let field = lines.count > 6 ? form.field : nil
        let problem = field?.problem
        let help =
            field.map { problem ?? [$0.help, $0.note ?? ""].filter { !$0.isEmpty }.joinedText("  ") } ?? ""
        let helpWidth = max(10, canvas.size.columns - 2)
        let helpRows = TextLayout.wrapped(help, width: helpWidth, breaksWords: true).prefix(lines.count / 3)
        form.layOut(lines: lines.count - (field == nil ? 0 : helpRows.count + 1))
        form.draw(on: &canvas, line: lines.lowerBound, glyphs: context.glyphs)
        guard let field else { return }
        for (line, text) in zip((lines.upperBound - 1 - helpRows.count)..., helpRows) {
            canvas.put(text, column: 1, line: line, role: problem == nil ? .dim : .error)
        }
        canvas.put(Self.keys(for: field), column: 1, line: lines.upperBound - 1, role: .dim)
    }

    private static func keys(for field: FormField) -> String {
        let change =
            switch field.kind.syntax {
            case .flag: "space changes it"
            case .choice: "left and right change it"
            default: field.isNumber ? "left and right step" : "type"
            }
        return "\(change), enter or tab: next field, ^S saves, ^D default, escape leaves"
    }

    func handle(_ effect: TerminalAction.Effect) -> Bool {
        switch effect {
        case .table(.pageUp): form.move(.pageUp)
        case .table(.pageDown): form.move(.pageDown)
        default: return false
        }
        return true
    }

    func handle(text key: Key) -> Bool {
        if !isLoaded && key != Key(.escape) && key != Key(spelling: "^C") { return true }
        let action = form.handle(key)
        perform(action)
        return action != .unused || !isCommand(key)
    }

    /// Whether a key that means nothing in the form is a command as elsewhere. Letters, and keys with Control or Alt, may be
    /// meant for the text; function keys are not.
    private func isCommand(_ key: Key) -> Bool {
        if key.typed != nil { return false }
        switch context.keys[key].flatMap(TerminalAction.named)?.effect {
        case .program(.redraw), .program(.suspend), .table(.pageUp), .table(.pageDown): return true
        default: return !key.hasControl && !key.hasAlt
        }
    }

    func paste(_ text: String) -> Bool {
        if isLoaded { perform(form.paste(text)) }
        return true
    }

    func handle(pointer: PointerEvent, lines: Range<Int>) {
        switch pointer.kind {
        case .press: perform(form.press(line: pointer.line - lines.lowerBound))
        case .wheelUp: form.move(.up)
        case .wheelDown: form.move(.down)
        case .drag, .release: break
        }
    }

    private func perform(_ action: Form.Action?) {
        switch action {
        case .save(let changes): save(self, changes)
        case .cancel where form.isChanged: context.confirm("Leave without saving?") { [context] in context.close() }
        case .cancel: context.close()
        case .refuse(let field): context.say(refusal(of: field), isError: true)
        case .unused, nil: break
        }
    }

    private func refusal(of field: FormField) -> String {
        if let problem = field.problem { return "\(field.label): \(problem)" }
        if !field.isEditable { return "\(field.label) can only be changed in the config file" }
        return "\(field.label) is not a text field: space or the arrow keys change it"
    }

    func show(_ sections: [FormSection]) {
        form.update(sections)
        isLoaded = true
        context.needsDrawing()
    }

    /// Sends one command for each value; what the daemon does not take is said beside its field.
    private func send(_ changes: [Form.Change], _ command: @escaping (Form.Change) -> any Command) {
        var saved: [String] = []
        var refused: [String] = []
        for change in changes {
            send(command(change)) { [weak self] failure in
                guard let self else { return }
                let label = SettingName.label(change.key)
                form.noteSaved(change.key, fault: failure?.explanation)
                if let failure { refused.append("\(label): \(failure.explanation)") } else { saved.append(label) }
                if saved.count + refused.count < changes.count { return }
                let parts = refused + (saved.isEmpty ? [] : ["saved: \(saved.joinedText(", "))"])
                context.say(parts.joinedText("; "), isError: !refused.isEmpty)
                read(self)
                context.needsDrawing()
            }
        }
    }

    private func send(_ command: some Command, _ done: @escaping (ClientFailure?) -> Void) {
        context.daemon.send(command) { result in
            if case .failure(let failure) = result { done(failure) } else { done(nil) }
        }
    }

    // MARK: forms

    static func settings(ofOutput name: String, _ context: ScreenContext) -> FormScreen {
        FormScreen(
            context, title: "Output \(name)", parts: [.outputs], ListOutputs(),
            sections: { reply in
                let fields = reply.rows.filter { $0.name == name }.flatMap { output in
                    [
                        FormField(
                            key: "volume", label: "volume", kind: .integer(0...100, step: 5, unit: "%"),
                            value: "\(output.volume)", help: "Beside the volume of all outputs."),
                        FormField(
                            key: "delay", label: "delay", kind: .integer(-1_000...1_000, step: 10, unit: "ms"),
                            value: "\(output.delay)",
                            help: "How much later than the others the output is heard; earlier if negative."),
                    ]
                }
                return [FormSection(title: "", fields: fields)]
            },
            command: { change -> any Command in
                if change.key == "delay" {
                    return SetOutputDelay {
                        $0.name = name
                        $0.delay = change.value + "ms"
                    }
                }
                return SetOutputVolume {
                    $0.name = name
                    $0.volume = Int(change.value)
                }
            })
    }

    static func settings(_ context: ScreenContext) -> FormScreen {
        FormScreen(
            context, title: "Settings", parts: [.settings], ListSettings(),
            sections: { FormScreen.sections($0.rows) },
            command: { change in
                SetSetting {
                    $0.key = change.key
                    $0.value = change.value
                }
            })
    }

    static func settings(of feed: FeedID, _ context: ScreenContext) -> FormScreen {
        FormScreen(
            context, title: "Settings of \(context.feedTitle(feed))", parts: [.feeds],
            ListFeedSettings { $0.feed = feed.label },
            sections: { reply in
                let fields = reply.settings.map { setting in
                    FormField(
                        key: setting.key, label: setting.label,
                        kind: setting.kind, value: setting.value ?? "", inherited: setting.inherited ?? "",
                        help: setting.help, note: "Without a value: \(setting.defaultMeaning)")
                }
                return [FormSection(title: "", fields: fields)]
            },
            command: { change in
                SetFeed {
                    $0.feed = feed.label
                    $0.key = change.key
                    $0.value = change.value.nonEmpty
                }
            })
    }

    /// A form whose fields a query answers, and each of whose values a command sets.
    private convenience init<Query: Command>(
        _ context: ScreenContext, title: String, parts: [StatusPart], _ query: Query,
        sections: @escaping (Query.Reply) -> [FormSection], command: @escaping (Form.Change) -> any Command
    ) {
        self.init(
            context, title: title, parts: parts,
            read: { screen in context.read(query) { if let reply = $0 { screen.show(sections(reply)) } } },
            save: { $0.send($1, command) })
    }

    /// The form for new feeds. The addresses that failed stay in their field.
    static func subscribe(_ context: ScreenContext) -> FormScreen {
        let hint = "fill in the user name and password"
        let name = ScreenName.subscribe
        let urls = "urls"
        return command(
            Subscribe.self, name, context, title: "Subscribe",
            fail: { screen, failure in
                guard case .refused(var error) = failure, let login = error.loginURL else {
                    return context.say(failure.explanation, isError: true)
                }
                error.hint = hint
                context.say(ClientFailure.refused(error).explanation, isError: true)
                screen.form.change(urls, to: login)
            },
            finish: { screen, reply in
                if context.say(reply, loginHint: hint) { return true }
                let failed = reply.rows.filter { FeedText.subscribed($0).isEmpty }
                screen.form.change(urls, to: failed.compactMap { $0.error?.login ?? $0.url }.joinedText(" "))
                return false
            })
    }

    /// A command's parameters, to be sent at once.
    ///
    /// - Parameters:
    ///   - fixed: parameters that are sent and not shown.
    ///   - sendsAll: whether fields that were not changed are sent, too.
    ///   - finish: shows what the command did; false if the form must stay open.
    static func command<Called: Command>(
        _ type: Called.Type, _ name: ScreenName, _ context: ScreenContext, title: String,
        fixed: [String: JSONValue] = [:], values: [String: String] = [:], sendsAll: Bool = false,
        fail: @escaping (FormScreen, ClientFailure) -> Void = { $0.context.say($1.explanation, isError: true) },
        finish: @escaping (FormScreen, Called.Reply) -> Bool
    ) -> FormScreen {
        let declaration = Called.declaration
        let fields = declaration.parameters.filter { fixed[$0.name] == nil }.map { parameter in
            FormField(
                key: parameter.name,
                label: SettingName.label(parameter.name) + (parameter.isRequired ? "" : " (optional)"),
                kind: parameter.name == "password" ? .secret : parameter.kind, value: values[parameter.name] ?? "",
                inherited: parameter.isRequired ? nil : parameter.defaultValue?.stringValue ?? "", help: parameter.help)
        }
        return FormScreen(
            context, title: title, sections: [FormSection(title: declaration.summary, fields: fields)],
            save: { screen, changes in
                let kept = sendsAll ? values.filter { !$0.value.isEmpty } : [:]
                let sent = kept.merging(changes.map { ($0.key, $0.value) }) { _, changed in changed }
                let members = declaration.parameters.compactMap { parameter in
                    (fixed[parameter.name] ?? sent[parameter.name].map(parameter.kind.json)).map {
                        JSONValue.Member(parameter.name, $0)
                    }
                }
                do throws(ControlError) {
                    context.run(
                        try Called(params: .object(members)),
                        done: { if finish(screen, $0) { context.close(name) } }, fail: { fail(screen, $0) })
                } catch {
                    context.say(error.what, isError: true)
                }
            })
    }

    /// Settings by the part of their name before the point.
    private static func sections(_ settings: [SettingReply]) -> [FormSection] {
        var sections: [FormSection] = []
        for setting in settings {
            let title = SettingName.label(setting.key.split(separator: ".").first.map(String.init) ?? "")
            let field = FormField(
                key: setting.key, label: setting.label, kind: setting.kind, value: setting.value,
                defaultValue: setting.defaultValue, help: setting.help,
                isEditable: setting.isClientSettable, note: setting.note)
            if sections.last?.title == title {
                sections[sections.count - 1].fields.append(field)
            } else {
                sections.append(FormSection(title: title, fields: [field]))
            }
        }
        return sections
    }
}
