import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import PodcastModel
import TestSupport
import Testing

@Suite struct TableTests {
    private static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../docs/PROTOCOL.md").standardizedFileURL

    @Test func namesAreUniqueAndBelongToTheirSection() {
        let names = CommandTable.all.map(\.name)
        expectEqual(Set(names).count, names.count)
        for section in CommandTable.sections {
            let commands = section.declarations
            #expect(!commands.isEmpty)
            #expect(commands.allSatisfy { $0.section == section.name && !$0.verb.isEmpty })
        }
    }

    @Test(arguments: CommandTable.all)
    func aDeclarationSaysEverything(command: CommandDeclaration) {
        #expect(command.summary.hasSuffix("."))
        #expect(!command.result.isEmpty)
        let names = command.parameters.map(\.name)
        expectEqual(Set(names).count, names.count)
        #expect(command.parameters.allSatisfy { !$0.help.isEmpty && !($0.isRequired && $0.defaultValue != nil) })
    }

    @Test(arguments: CommandTable.sections)
    func defaultsAreValuesThatTheCommandTakes(section: CommandSection) throws {
        for type in section.types {
            let defaults = type.declaration.parameters.compactMap { parameter in
                parameter.defaultValue.map { JSONValue.Member(parameter.name, $0) }
            }
            try expectEqual(type.init(partial: .object(defaults)).params, type.init().params)
        }
    }

    @Test(arguments: CommandTable.all)
    func requiredParametersComeFirstOnACommandLine(command: CommandDeclaration) {
        if command.commandLine == nil { return }
        let arguments = command.parameters.filter { $0.spelling == .argument }
        let firstOptional = arguments.firstIndex { !$0.isRequired } ?? arguments.count
        #expect(arguments[firstOptional...].allSatisfy { !$0.isRequired })
        // What takes all words that are left can only stand last.
        for argument in arguments.dropLast() {
            #expect(argument.kind.syntax != .list, "\(command.name): \(argument.name) is not the last")
        }
    }

    @Test func commandLineWordsAreUnique() {
        let words = CommandTable.all.compactMap(\.commandLine?.words)
        expectEqual(Set(words).count, words.count)
    }

    @Test func looksNeedNoMoreThanRead() {
        let looking = [
            "list", "get", "show", "version", "commands", "subscribe", "restrict", "as",
            "undoable", "history", "try", "transcript", "said", "downloads", "picture", "chapters", "stats", "complete",
            "changes", "subscriptions", "devices", "accounts",
        ]
        for command in CommandTable.all
        where command.section != CommandSection.feeds.name || command.verb == "list" {
            expectEqual(command.permission == .read, looking.contains(command.verb), "\(command.name)")
        }
    }

    @Test func theManualIsTheOneInDocs() throws {
        let recorded = try String(contentsOf: Self.file, encoding: .utf8)
        let made = try #require(recorded.range(of: "## Objects\n"))
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data((recorded[..<made.lowerBound] + ProtocolManual.markdown).utf8).write(to: Self.file)
            Issue.record("recorded docs/PROTOCOL.md")
            return
        }
        expectEqual(
            String(recorded[made.lowerBound...]), ProtocolManual.markdown,
            "docs/PROTOCOL.md differs; record it with RECORD=1")
    }

    @Test func theManualNamesEveryCommandParameterAndCode() throws {
        let manual = ProtocolManual.markdown
        for command in CommandTable.all {
            expectContains(manual, "#### \(command.name)\n")
            for parameter in command.parameters { expectContains(manual, "| `\(parameter.name)` |") }
        }
        let document = try String(contentsOf: Self.file, encoding: .utf8)
        for code in ControlError.Code.allCases { expectContains(document, "| \(code.rawValue) | \(code.message) |") }
    }

    @Test func theManualDescribesEveryObjectThatItNames() {
        let manual = ProtocolManual.markdown
        for match in manual.matches(of: /`([A-Z][A-Za-z]+)` objects?/) {
            #expect(manual.contains("### \(match.1)\n") || manual.contains("`\(match.1)`: "), "\(match.1)")
        }
    }
}
