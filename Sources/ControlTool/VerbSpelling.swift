internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import JSON
internal import PodcastModel
internal import Presentation

/// How declared commands are spelled on a command line, and back: arguments and options become parameters.
enum VerbSpelling {
    /// The option of all commands with a limit, to read its value.
    static let limit = OptionDeclaration("limit", nil, "N", .limit, help: "")

    static func subcommand(for verb: any CommandVerb.Type) -> SubcommandDeclaration {
        let command = verb.declaration
        let form = command.commandLine ?? CommandLineForm([command.name], group: "")
        var subcommand = SubcommandDeclaration(
            form.words, command.summary, group: form.group,
            details: form.details, options: options(of: command) + verb.options,
            arguments: arguments(of: command))
        verb.adjust(&subcommand)
        subcommand.details += verb.details
        let columns = verb.columns
        if !columns.isEmpty {
            let names = columns.map(\.name).joinedText(", ")
            subcommand.details.append("Fields of a row in a pipe: \(names).")
        }
        return subcommand
    }

    static func options(of command: CommandDeclaration) -> [OptionDeclaration] {
        command.parameters.filter { $0.spelling == .option || $0.spelling == .rows }.map(option)
    }

    private static func arguments(of command: CommandDeclaration) -> [ArgumentDeclaration] {
        let parameters = command.parameters.filter { $0.spelling == .argument }
        return parameters.map { argument($0, isOnly: parameters.count == 1) }
    }

    private static func argument(_ parameter: ParameterDeclaration, isOnly: Bool) -> ArgumentDeclaration {
        // Several words are one text or one title, so that they need not be quoted.
        let isRepeatable =
            switch parameter.kind.syntax {
            case .list, .text: true
            case .what: isOnly
            default: false
            }
        return ArgumentDeclaration(
            parameter.placeholder, valueKind(parameter), isRequired: parameter.isRequired,
            isRepeatable: isRepeatable, help: parameter.help)
    }

    private static func option(_ parameter: ParameterDeclaration) -> OptionDeclaration {
        let name = optionName(parameter.name)
        if parameter.kind == .flag { return OptionDeclaration(flag: name, help: parameter.help) }
        var help = parameter.help
        let isLimit = parameter.spelling == .rows
        if isLimit, !help.isEmpty { help = "\(help.dropLast()), or all." }
        if let value = parameter.defaultValue, !help.isEmpty {
            help = "\(help.dropLast()) (default: \(value.stringValue ?? value.text))."
        }
        let kind = isLimit ? .limit : valueKind(parameter)
        let placeholder = kind.syntax == .choice ? kind.choices.joinedText("|") : parameter.placeholder
        return OptionDeclaration(name, nil, placeholder, kind, help: help)
    }

    private static func optionName(_ name: String) -> String {
        var result = ""
        for scalar in name.unicodeScalars {
            if scalar.properties.isUppercase { result += "-" }
            result += scalar.properties.lowercaseMapping
        }
        return result
    }

    private static func valueKind(_ parameter: ParameterDeclaration) -> ValueKind {
        parameter.kind.elements.first ?? parameter.kind
    }

    /// The `params` of a call; nil for none.
    static func parameters(of command: CommandDeclaration, from parsed: ParsedArguments) -> JSONValue? {
        let members = command.parameters.compactMap { parameter in
            value(of: parameter, parsed).map { JSONValue.Member(parameter.name, $0) }
        }
        return members.isEmpty ? nil : .object(members)
    }

    private static func value(of parameter: ParameterDeclaration, _ parsed: ParsedArguments) -> JSONValue? {
        let kind = parameter.kind
        switch parameter.spelling {
        case .wireOnly: return nil
        case .option, .rows:
            let option = option(parameter)
            if kind == .flag { return parsed.isSet(option) ? true : nil }
            return parsed.text(option).map { option.kind == .limit ? pageLimit($0, kind) : kind.json($0) }
        case .argument:
            let texts = parsed.texts(ofArgument: parameter.placeholder)
            guard let first = texts.first else { return nil }
            switch kind.syntax {
            case .list: return .array(texts.map((kind.elements.first ?? .string).json))
            case .text, .what: return .string(texts.joined(separator: " "))
            default: return kind.json(first)
            }
        }
    }

    /// `all`, or more rows than the wire has in a page, is the largest page.
    private static func pageLimit(_ text: String, _ kind: ValueKind) -> JSONValue {
        let most = kind.maximum.map { Int64($0) } ?? .max
        return .integer(min(Int64(text) ?? most, most))
    }
}

extension Command {
    /// Reads `params` from a command line, of which the caller adds some; refuses what the daemon would refuse.
    init(given params: JSONValue?) throws(ToolFailure) {
        self = try mapError(of: Self(partial: params)) { ToolFailure(.refused($0)) }
    }
}
