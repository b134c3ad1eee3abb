internal import PodcastModel

extension ProgramDeclaration {
    /// Parses a command line like getopt_long(3): options and arguments in any order, `--name=VALUE` or `--name VALUE`,
    /// combined one-letter flags, `--` before arguments that begin with a dash. A minus followed by a digit does not
    /// begin an option, so that `seek -15` works.
    ///
    /// `--help` and `--version` end parsing; the remaining arguments are not checked.
    /// - Parameter arguments: the command line without the program's name.
    /// - Throws: `UsageError` for the first error.
    public func parse(_ arguments: [String]) throws(UsageError) -> ParsedArguments {
        var parser = ArgumentParser(program: self, rest: arguments[...], mayBeCommand: subcommands != nil)
        return try parser.run()
    }
}

private struct ArgumentParser {
    let program: ProgramDeclaration
    var rest: ArraySlice<String>
    var parsed = ParsedArguments()
    /// Whether the next word that is not an option names the command.
    var mayBeCommand: Bool

    mutating func run() throws(UsageError) -> ParsedArguments {
        while let word = rest.first {
            if word == "--" {
                rest.removeFirst()
                parsed.countBeforeDashes = parsed.positionals.count
                parsed.positionals += rest
                break
            }
            if isOption(word) {
                rest.removeFirst()
                try takeOption(word)
                if parsed.request != .run { return parsed }
            } else if mayBeCommand {
                try takeCommand(word)
                if parsed.request != .run { return parsed }
            } else {
                rest.removeFirst()
                parsed.positionals.append(word)
            }
        }
        if parsed.subcommand == nil, !program.runsWithoutCommand {
            guard let unnamed = program.subcommands?.unnamed else { throw .missingCommand }
            parsed.subcommand = unnamed()
        }
        try assign()
        return parsed
    }

    func isOption(_ word: String) -> Bool {
        var bytes = word.utf8.makeIterator()
        guard bytes.next() == .dash, let second = bytes.next() else { return false }
        return !second.isDigit && second != .point
    }

    mutating func takeCommand(_ word: String) throws(UsageError) {
        mayBeCommand = false
        if let command = program.subcommands?.find(rest) {
            parsed.subcommand = command
            rest = rest.dropFirst(command.words.count)
            return
        }
        if program.runsWithoutCommand {
            if word == "help" { try takeHelp() }
            return
        }
        let seconds = shownWords.filter { $0[0] == word && $0.count > 1 }.map { $0[1] }
        if !seconds.isEmpty {
            // `rule --help` is `help rule`.
            guard ["--help", "-h"].contains(rest.dropFirst().first), let help = program.subcommands?.find(["help"])
            else { throw .incompleteCommand(word, seconds: seconds) }
            parsed.subcommand = help
            rest = [word]
            return
        }
        throw unknown(word)
    }

    /// The words of the commands that the help lists.
    var shownWords: [[String]] { (program.subcommands?.all() ?? []).filter { $0.group != nil }.map(\.words) }

    func unknown(_ word: String) -> UsageError {
        let closest = Spelling.closest(to: word, in: shownWords.map { $0[0] })
        return .unknownCommand(word, closest: closest, rest: Array(rest.dropFirst()))
    }

    /// `help [COMMAND]` of a program with optional commands, where the word would otherwise be an argument.
    mutating func takeHelp() throws(UsageError) {
        rest.removeFirst()
        parsed.request = .help
        guard let word = rest.first else { return }
        guard let command = program.subcommands?.find(rest) else { throw unknown(word) }
        parsed.subcommand = command
    }

    /// Every program accepts `--generate` instead of a command; `make install` uses it.
    var declared: [OptionDeclaration] {
        program.options + (parsed.subcommand?.options ?? [ProgramDeclaration.generateOption])
            + ProgramDeclaration.commonOptions
    }

    mutating func takeOption(_ word: String) throws(UsageError) {
        guard word.utf8.dropFirst().first == .dash else { return try takeLetters(word) }
        let body = word.dropFirst(2)
        let name: Substring
        var value: String?
        if let equals = body.utf8.firstIndex(of: .equals) {
            name = body[..<equals]
            value = String(body[body.utf8.index(after: equals)...])
        } else {
            name = body
        }
        guard let option = declared.first(where: { $0.name == name }) else {
            let names = declared.filter { !$0.isHidden }.map(\.name)
            let closest = names.first { $0.hasPrefix(name) } ?? Spelling.closest(to: String(name), in: names)
            throw .unknownOption(
                "--\(name)", closest: (closest ?? option(forTime: value ?? rest.first)).map { "--\($0)" })
        }
        if option.placeholder == nil {
            if value != nil { throw .unexpectedValue(option: "--\(name)") }
        } else if value == nil {
            guard let next = rest.popFirst() else { throw .missingValue(option: "--\(name)") }
            value = next
        }
        try record(option, value)
    }

    /// The only option for a time, if a word is a time: `--at 1:30` means `--position`.
    func option(forTime word: String?) -> String? {
        let options = declared.filter { $0.kind.syntax == .time }
        guard options.count == 1, let word, options[0].kind.canonical(word) != nil else { return nil }
        return options[0].name
    }

    mutating func takeLetters(_ word: String) throws(UsageError) {
        var letters = word.dropFirst()
        while parsed.request == .run, let letter = letters.popFirst() {
            guard let option = declared.first(where: { $0.letter == letter }) else {
                throw .unknownOption("-\(letter)", closest: nil)
            }
            if option.placeholder == nil {
                try record(option, nil)
                continue
            }
            guard let value = letters.isEmpty ? rest.popFirst() : String(letters) else {
                throw .missingValue(option: "-\(letter)")
            }
            return try record(option, value)
        }
    }

    mutating func record(_ option: OptionDeclaration, _ value: String?) throws(UsageError) {
        if !option.isRepeatable, parsed.isSet(option) { throw .repeatedOption("--\(option.name)") }
        if let value { try check(value, of: "--\(option.name)", option.kind) }
        parsed.options.append(GivenOption(name: option.name, value: value))
        switch option {
        case ProgramDeclaration.helpOption: parsed.request = .help
        case ProgramDeclaration.versionOption: parsed.request = .version
        case ProgramDeclaration.generateOption: parsed.request = .generate(value ?? "")
        default: break
        }
    }

    func check(_ value: String, of name: String, _ kind: ValueKind) throws(UsageError) {
        if kind.canonical(value) == nil { throw .badValue(of: name, value: value, expected: kind.form) }
    }

    /// Assigns the positional arguments to the declared arguments, from left to right.
    mutating func assign() throws(UsageError) {
        let arguments = parsed.subcommand?.arguments ?? program.arguments
        var next = 0
        for argument in arguments {
            let available = parsed.positionals.count - next
            let taken = argument.isRepeatable ? available : min(1, available)
            if argument.isRequired, taken == 0 { throw .missingArgument(argument.name) }
            for value in parsed.positionals[next..<next + taken] { try check(value, of: argument.name, argument.kind) }
            parsed.ranges.append(GivenArgument(name: argument.name, range: next..<next + taken))
            next += taken
        }
        guard next < parsed.positionals.count else { return }
        let word = parsed.positionals[next]
        throw .unexpectedArgument(word, isCommand: shownWords.contains { $0[0] == word })
    }
}

/// Suggests a correction for a misspelled word.
public enum Spelling {
    /// The first candidate that begins with the word, else the one with the smallest edit distance: at most two, and less than half
    /// of the candidate's letters.
    public static func closest(to word: String, in candidates: [String]) -> String? {
        if word.utf8.count > 2, let begun = candidates.first(where: { $0.hasPrefix(word) }) { return begun }
        var best: (distance: Int, name: String)?
        for candidate in candidates {
            let distance = edits(Array(word.utf8.prefix(64)), Array(candidate.utf8))
            if distance <= 2, distance * 2 < candidate.utf8.count, distance < best?.distance ?? .max {
                best = (distance, candidate)
            }
        }
        return best?.name
    }

    private static func edits(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let substituted = diagonal + (right[column] == byte ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(substituted, row[column] + 1, diagonal + 1)
            }
        }
        return row[right.count]
    }
}
