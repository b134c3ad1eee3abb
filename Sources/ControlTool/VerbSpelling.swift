internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel

/// How declared commands are spelled on a command line, and back: arguments and options become parameters.
enum VerbSpelling {
    static let follow = OptionDeclaration(flag: "follow", "f", help: "Go on showing what changes until interrupted.")
    static let plain = OptionDeclaration(
        flag: "plain", help: "One piece of news a line: no columns, no drawing over, no style.")
    static let figures = OptionDeclaration(flag: "figures", help: "Also what happened since the daemon's start.")
    static let html = OptionDeclaration(flag: "html", help: "Print the notes as HTML, and nothing else.")
    static let srt = OptionDeclaration(flag: "srt", help: "Print it as SubRip (SRT).")
    static let level = ArgumentDeclaration("LEVEL", help: "Per cent: N, or +N and -N for more and less.")
    static let key = ArgumentDeclaration("KEY", count: .optional, help: "The setting; all unless given.")
    static let value = ArgumentDeclaration("VALUE", count: .optional, help: "Its new value; shown unless given.")
    static let reset = OptionDeclaration(flag: "reset", help: "Take back what was set for KEY.")
    static let file = ArgumentDeclaration("FILE", .file, help: "The document or database, or - for stdin.")

    static let playlist = ArgumentDeclaration("NAME", help: "The playlist's name, as 'playlists' has it.")
    static let playlistAct = ArgumentDeclaration(
        "ACT", .choice(["save", "remove"]), count: .optional, help: "save or remove; shown unless given.")
    static let filter = ArgumentDeclaration("FILTER", count: .any, help: "What to save: conditions and words.")

    /// The verb of a command. A few are spelled as people expect rather than as the wire has them.
    static func subcommand(for command: CommandDeclaration) -> SubcommandDeclaration {
        let form = command.commandLine ?? CommandLineForm([command.name], group: "")
        var verb = SubcommandDeclaration(
            form.words, command.summary, group: form.group, details: form.details,
            options: command.parameters.filter { $0.spelling == .option }.map(option),
            arguments: command.parameters.filter { $0.spelling == .argument }.map(argument))
        switch command.name {
        case SetVolume.name: verb.arguments = [level]
        case ImportDocument.name: verb.arguments = [file]
        case ListSettings.name: (verb.options, verb.arguments) = ([reset], [key, value])
        case ShowPlaylist.name:
            verb.arguments = [playlist, playlistAct, filter]
            verb.options += SavePlaylist.declaration.parameters.filter { $0.spelling == .option }.map(option)
        case GetStatus.name: verb.options = [follow, plain, figures]
        case ShowEpisode.name: verb.options = [html]
        // All of it is shown; the limit is one of the wire's pages.
        case ShowTranscript.name: verb.options = [srt]
        default: break
        }
        return verb
    }

    static func argument(_ parameter: ParameterDeclaration) -> ArgumentDeclaration {
        let count: ArgumentDeclaration.Count
        switch parameter.kind {
        case .list: count = parameter.isRequired ? .some : .any
        // Several words make one text, so that it need not be quoted.
        case .text: count = .some
        case .string, .choice, .integer, .number, .time, .flag, .what, .object:
            count = parameter.isRequired ? .one : .optional
        }
        return ArgumentDeclaration(name(parameter), kind(parameter.kind), count: count, help: parameter.help)
    }

    static func option(_ parameter: ParameterDeclaration) -> OptionDeclaration {
        let name = optionName(parameter.name)
        if parameter.kind == .flag { return OptionDeclaration(flag: name, help: parameter.help) }
        var help = parameter.help
        if let value = parameter.defaultValue, !help.isEmpty {
            help = "\(help.dropLast()); \(value.stringValue ?? value.text) unless given."
        }
        return OptionDeclaration(name, nil, Self.name(parameter), kind(parameter.kind), help: help)
    }

    /// What help calls a value: `FEED`, `URL…`, `N`.
    private static func name(_ parameter: ParameterDeclaration) -> String {
        switch (parameter.name, parameter.kind) {
        case (_, .choice(let words)) where parameter.spelling == .option: words.joined(separator: "|")
        case ("urls", _): "URL"
        case ("feeds", _): "FEED"
        case ("position", _): "TIME"
        case ("limit", _), ("at", _): "N"
        case ("search", _): "TEXT"
        case (let name, _): name.uppercased()
        }
    }

    private static func optionName(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            if scalar.properties.isUppercase { result += "-" }
            result += scalar.properties.lowercaseMapping
        }
        return result
    }

    private static func kind(_ kind: ParameterDeclaration.Kind) -> ValueKind {
        switch kind {
        case .string, .text, .what, .flag, .object: .text
        case .choice(let words): .choice(words)
        case .integer(let range): .integer(range)
        case .number(let range): .number(range)
        case .time: .time
        case .list(let element): self.kind(element)
        }
    }

    /// The `params` of a call; nil for none.
    static func parameters(of command: CommandDeclaration, from parsed: ParsedArguments) -> JSONValue? {
        var members: [JSONValue.Member] = []
        for parameter in command.parameters {
            switch parameter.spelling {
            case .wireOnly: break
            // The command line takes a file instead, whose contents are handed over.
            case .argument where command.name == ImportDocument.name: break
            case .option:
                let option = option(parameter)
                if parameter.kind == .flag {
                    if parsed.isSet(option) { members.append(.init(parameter.name, true)) }
                } else if let text = parsed.text(option) {
                    members.append(.init(parameter.name, value(text, parameter.kind)))
                }
            case .argument:
                let texts = parsed.texts(argument(parameter))
                if texts.isEmpty { continue }
                switch parameter.kind {
                case .list(let kind):
                    members.append(.init(parameter.name, .array(texts.map { value($0, kind) })))
                case .text: members.append(.init(parameter.name, .string(texts.joined(separator: " "))))
                case .string, .choice, .integer, .number, .time, .flag, .what, .object:
                    members.append(.init(parameter.name, value(texts[texts.startIndex], parameter.kind)))
                }
            }
        }
        return members.isEmpty ? nil : .object(members)
    }

    private static func value(_ text: String, _ kind: ParameterDeclaration.Kind) -> JSONValue {
        switch kind {
        case .integer: Int64(text).map(JSONValue.integer) ?? .string(text)
        case .number: Double(text).map(JSONValue.number) ?? .string(text)
        case .string, .text, .choice, .time, .flag, .what, .list, .object: .string(text)
        }
    }

    /// The command that `playlist NAME [save FILTER… | remove]` means.
    static func playlistRequest(_ parsed: ParsedArguments) throws(ToolFailure) -> Request {
        let name = parsed.text(playlist) ?? ""
        let words = Array(parsed.texts(filter))
        guard let act = parsed.text(playlistAct) else {
            var request = try ShowPlaylist(given: options(of: ShowPlaylist.declaration, from: parsed))
            request.name = name
            return Request(id: nil, request)
        }
        if act == "remove" {
            if !words.isEmpty { throw ToolFailure(.usage, "'remove' takes nothing after it") }
            return Request(id: nil, RemovePlaylist { $0.name = name })
        }
        if words.isEmpty {
            throw ToolFailure(.usage, "'save' needs a FILTER: conditions such as is:unplayed longer:30m")
        }
        var request = try SavePlaylist(given: options(of: SavePlaylist.declaration, from: parsed))
        (request.name, request.filter) = (name, FilterWords.joined(words))
        return Request(id: nil, request)
    }

    /// The options of a command as parameters.
    private static func options(of command: CommandDeclaration, from parsed: ParsedArguments) -> JSONValue? {
        var options = command
        options.parameters.removeAll { $0.spelling != .option }
        return parameters(of: options, from: parsed)
    }

    /// The command that `settings [--reset] [KEY [VALUE]]` means.
    static func settingsRequest(_ parsed: ParsedArguments) throws(ToolFailure) -> Request {
        let value = parsed.text(value)
        guard let key = parsed.text(key) else {
            if parsed.isSet(reset) { throw ToolFailure(.usage, "--reset needs the KEY of a setting") }
            return Request(id: nil, ListSettings())
        }
        if let value {
            if parsed.isSet(reset) { throw ToolFailure(.usage, "--reset takes no VALUE") }
            return Request(id: nil, SetSetting { ($0.key, $0.value) = (key, value) })
        }
        if parsed.isSet(reset) { return Request(id: nil, ResetSetting { $0.key = key }) }
        return Request(id: nil, GetSetting { $0.key = key })
    }

    /// The command that `volume` with `30`, `+5` or `-5` means.
    static func volumeRequest(_ text: String) throws(ToolFailure) -> Request {
        let isChange = text.utf8.first == UInt8(ascii: "+") || text.utf8.first == UInt8(ascii: "-")
        guard let number = Int(text), (isChange ? -100...100 : 0...100).contains(number) else {
            throw ToolFailure(
                .usage,
                "LEVEL is a whole number from 0 to 100, or a change such as +5 or -5, not '\(SafeText.line(text))'")
        }
        return Request(
            id: nil,
            SetVolume { if isChange { $0.change = number } else { $0.level = number } })
    }
}

extension Command {
    /// Reads what stands on the command line, some of which the caller replaces or adds; refuses what the daemon would.
    init(given params: JSONValue?) throws(ToolFailure) {
        do throws(ControlError) {
            try self.init(partial: params)
        } catch {
            throw ToolFailure(.refused(error))
        }
    }
}
