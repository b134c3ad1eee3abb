internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import TableUI

/// A screen that is a form. Forms are made from declarations: of settings, of a feed's settings, of a command's parameters.
final class FormScreen: Screen {
    let title: String
    private let context: ScreenContext
    private let parts: StatusParts
    private var form: Form
    private let read: (FormScreen) -> Void
    private let save: (FormScreen, [Form.Change]) -> Void

    private init(
        _ context: ScreenContext, title: String, parts: StatusParts = [], sections: [FormSection] = [],
        read: @escaping (FormScreen) -> Void = { _ in }, save: @escaping (FormScreen, [Form.Change]) -> Void
    ) {
        self.context = context
        self.title = title
        self.parts = parts
        form = Form(sections)
        self.read = read
        self.save = save
    }

    var takesText: Bool {
        switch form.mode {
        case .choosing: false
        case .typing: true
        }
    }

    func load() { read(self) }
    func update(_ parts: StatusParts) { if !parts.isDisjoint(with: self.parts) { read(self) } }

    func draw(on canvas: inout Canvas, lines: Range<Int>, reusing row: inout TableRow) {
        let helpLines = lines.count > 6 ? 2 : 0
        form.layOut(lines: lines.count - helpLines)
        form.draw(on: &canvas, line: lines.lowerBound, glyphs: context.glyphs, reusing: &row)
        guard helpLines > 0, let field = form.field else { return }
        let problem = form.problem(of: field)
        let keys = "enter edits, left and right step, 's' saves, escape leaves"
        canvas.put(
            problem ?? [field.help, field.note ?? ""].filter { !$0.isEmpty }.joined(separator: "  "), column: 1,
            line: lines.upperBound - 2, role: problem == nil ? .dim : .error)
        canvas.put(keys, column: 1, line: lines.upperBound - 1, role: .dim)
    }

    func handle(_ action: TerminalAction) -> Bool {
        let event: Form.Event
        switch action {
        case .up: event = .up
        case .down: event = .down
        case .pageUp: event = .pageUp
        case .pageDown: event = .pageDown
        case .first: event = .first
        case .last: event = .last
        case .open: event = .edit
        case .seekForward: event = .stepForward
        case .seekBack: event = .stepBack
        case .delete: event = .reset
        case .stop: event = .save
        case .back: return goBack()
        default: return false
        }
        perform(form.handle(event))
        return true
    }

    func handle(text key: Key) { perform(form.handle(.key(key))) }

    func handle(pointer: PointerEvent, lines: Range<Int>) {
        switch pointer.kind {
        case .press: perform(form.handle(.press(line: pointer.line - lines.lowerBound)))
        case .wheelUp: perform(form.handle(.up))
        case .wheelDown: perform(form.handle(.down))
        case .drag, .release: break
        }
    }

    private func goBack() -> Bool {
        guard form.isChanged else { return false }
        let context = context
        context.ask(
            Prompt(
                label: "Leave without saving? (y/n) ", kind: .confirmation, done: { _ in context.close() }))
        return true
    }

    private func perform(_ actions: [Form.Action]) {
        for action in actions {
            switch action {
            case .save(let changes): save(self, changes)
            case .close: context.close()
            case .refuse(let key):
                context.say(
                    form.problem(of: form.field ?? FormField(key: key, label: key, kind: .flag, value: ""))
                        .map { "\(key): \($0)" } ?? "\(key) can only be changed in the config file", isError: true)
            }
        }
    }

    func show(_ sections: [FormSection]) {
        form.update(sections)
        context.needsDrawing()
    }

    /// Sends one command for each value; what the daemon does not take is said beside its field.
    private func send<Called: Command>(_ changes: [Form.Change], _ command: @escaping (Form.Change) -> Called) {
        for change in changes {
            context.daemon.send(command(change)) { [weak self] result in
                guard let self else { return }
                switch result {
                case .success: form.noteSaved(change.key, fault: nil)
                case .failure(let failure):
                    form.noteSaved(change.key, fault: failure.explanation)
                    context.say("\(change.key): \(failure.explanation)", isError: true)
                }
                read(self)
                context.needsDrawing()
            }
        }
    }
}

// MARK: forms

extension FormScreen {
    /// The daemon's settings.
    static func settings(_ context: ScreenContext) -> FormScreen {
        FormScreen(
            context, title: "Settings", parts: [.init(.settings)],
            read: { screen in
                context.read(ListSettings()) { reply in
                    if let reply { screen.show(FormScreen.sections(reply.settings)) }
                }
            },
            save: { screen, changes in
                screen.send(changes) { change in
                    SetSetting {
                        $0.key = change.key
                        $0.value = change.value
                    }
                }
            })
    }

    /// The form of one feed's settings.
    static func settings(of feed: FeedID, _ context: ScreenContext) -> FormScreen {
        FormScreen(
            context, title: "Settings of \(context.feedTitle(feed))", parts: [.init(.feeds)],
            read: { screen in
                context.read(ListFeedSettings { $0.feed = feed.label }) { reply in
                    guard let reply else { return }
                    screen.show([
                        FormSection(
                            title: "",
                            fields: reply.settings.map { setting in
                                FormField(
                                    key: setting.key, label: setting.key, kind: setting.fieldKind,
                                    value: setting.value ?? "", help: setting.help,
                                    note: "Without a value: \(setting.defaultMeaning)")
                            })
                    ])
                }
            },
            save: { screen, changes in
                screen.send(changes) { change in
                    SetFeed {
                        $0.feed = feed.label
                        $0.key = change.key
                        $0.value = change.value.isEmpty ? nil : change.value
                    }
                }
            })
    }

    /// A command's parameters, to be sent at once.
    static func command<Called: Command>(
        _ type: Called.Type, _ name: ScreenName, _ context: ScreenContext, title: String
    ) -> FormScreen {
        let declaration = Called.declaration
        let fields = declaration.parameters.map { parameter in
            FormField(
                key: parameter.name, label: parameter.name + (parameter.isRequired ? "" : " (optional)"),
                kind: parameter.fieldKind, value: "", help: parameter.help)
        }
        return FormScreen(
            context, title: title, sections: [FormSection(title: declaration.summary, fields: fields)],
            save: { _, changes in
                do throws(ControlError) {
                    let members = changes.compactMap { change in
                        declaration.parameters.first { $0.name == change.key }.map {
                            JSONValue.Member(change.key, $0.value(from: change.value))
                        }
                    }
                    context.run(try Called(params: .object(members))) { _ in
                        context.say("\(title.lowercased()): done")
                        context.close(name)
                    }
                } catch {
                    context.say(error.what, isError: true)
                }
            })
    }

    /// Settings by the part of their name before the point.
    private static func sections(_ settings: [SettingReply]) -> [FormSection] {
        var sections: [FormSection] = []
        for setting in settings {
            let parts = setting.key.split(separator: ".", maxSplits: 1)
            let title = parts.count > 1 ? String(parts[0]) : ""
            let field = FormField(
                key: setting.key, label: parts.last.map(String.init) ?? setting.key, kind: setting.type.fieldKind,
                value: setting.value, defaultValue: setting.defaultValue, help: setting.help,
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

extension TypeReply {
    /// How a value of the type is entered.
    var fieldKind: FormField.Kind {
        switch name {
        case "choice": return .choice(choices)
        case "flag": return .flag
        case "integer":
            return .integer((minimum?.integerValue ?? .min)...(maximum?.integerValue ?? .max))
        case "duration": return .duration
        default: return .text(maximumBytes: maximumBytes ?? 4_096)
        }
    }
}

extension DeclaredFeedSettingReply {
    fileprivate var fieldKind: FormField.Kind {
        switch type {
        case "secret": .secret
        default: .text(maximumBytes: maximumBytes)
        }
    }
}
