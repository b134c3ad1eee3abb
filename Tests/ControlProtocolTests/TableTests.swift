import ControlLanguage
import ControlProtocol
import Foundation
import JSON
import Testing
import TestSupport

@Suite struct TableTests {
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
        #expect(!command.result.hasSuffix("."))
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
            if case .list = argument.kind { Issue.record("\(command.name): \(argument.name) is not the last") }
        }
    }

    @Test func commandLineWordsAreUnique() {
        let words = CommandTable.all.compactMap(\.commandLine?.words)
        expectEqual(Set(words).count, words.count)
    }

    @Test func looksNeedNoMoreThanRead() {
        let looking = [
            "list", "get", "show", "version", "commands", "subscribe", "unsubscribe", "restrict", "as",
            "undoable", "history", "try", "transcript", "said", "downloads", "picture", "chapters", "stats", "complete",
        ]
        for command in CommandTable.all
        where command.section != CommandSection.feeds.name || command.verb == "list" {
            expectEqual(command.permission == .read, looking.contains(command.verb), "\(command.name)")
        }
    }

    @Test func theManualIsTheOneInDocs() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/PROTOCOL.md").standardizedFileURL
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(ProtocolManual.markdown.utf8).write(to: file)
            Issue.record("recorded docs/PROTOCOL.md")
            return
        }
        let recorded = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        expectEqual(recorded, ProtocolManual.markdown, "docs/PROTOCOL.md differs; record it with RECORD=1")
    }

    @Test func theManualNamesEveryCommandParameterAndCode() {
        let manual = ProtocolManual.markdown
        for command in CommandTable.all {
            expectContains(manual, "#### \(command.name)\n")
            for parameter in command.parameters { expectContains(manual, "| `\(parameter.name)` |") }
        }
        for code in ControlError.Code.allCases { expectContains(manual, "| \(code.rawValue) |") }
    }

    @Test func theManualDescribesEveryObjectThatItNames() {
        let manual = ProtocolManual.markdown
        for match in manual.matches(of: /`([A-Z][A-Za-z]+)` objects?/) {
            #expect(manual.contains("### \(match.1)\n") || manual.contains("`\(match.1)`: "), "\(match.1)")
        }
    }
}
