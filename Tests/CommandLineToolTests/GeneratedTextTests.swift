@testable import CommandLineTool
import Foundation
import Testing
import TestSupport

@Suite(.ownThread) struct GeneratedTextTests {
    @Test func helpListsCommandsUnderTheirHeadings() {
        expectGolden(Example.program.help(width: 80), "help.txt")
        #expect(!Example.program.help().contains("secret"))
    }

    @Test func helpOfACommandShowsItsOwnOptions() throws {
        let parsed = try Example.program.parse(["refresh", "--help"])
        expectGolden(Example.program.help(of: parsed.subcommand, width: 60), "help-refresh.txt")
    }

    @Test func helpFitsTheWidth() {
        for width in [40, 60, 80, 100] {
            // A long name has a separate line and is never broken.
            let lines = Example.program.help(width: width).split(separator: "\n").filter { !$0.contains("pod-example") }
            #expect(lines.allSatisfy { $0.count <= max(width, 44) })
        }
    }

    @Test func theManualPageIsMadeFromTheDeclaration() {
        expectGolden(Example.program.manualPage, "pod-example.1")
    }

    @Test func theManualPageHasNoWarnings() throws {
        try RequiredTool.groff.path()
        for program in [Example.program, Example.plain] {
            let result = try runShell("groff -man -Kutf8 -Tutf8 -ww -z", input: program.manualPage)
            expectEqual(result.status, 0)
            expectEqual(result.errors, "")
        }
    }

    @Test(arguments: Shell.allCases)
    func completionsAreMadeFromTheDeclaration(shell: Shell) {
        expectGolden(Example.program.completionScript(for: shell), "completion.\(shell.rawValue)")
    }

    @Test func bashReadsItsCompletions() throws {
        for program in [Example.program, Example.plain] {
            let result = try runShell("bash -n", input: program.completionScript(for: .bash))
            expectEqual(result.status, 0)
            expectEqual(result.errors, "")
        }
    }

    @Test(arguments: [
        ("pod-example re", "refresh"),
        ("pod-example --json o", "output"),
        ("pod-example --data-dir /x output ", "enable level"),
        ("pod-example output level h", "high"),
        ("pod-example refresh --f", "--force"),
        ("pod-example refresh -j 3 a b --sk", "--skip"),
        ("pod-example --data-dir /us", ":folder"),
        ("pod-example import /et", ":file"), ("pod-example secret", ""),
    ])
    func completionsAreTheWordsThatMatch(line: String, expected: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: false).dropFirst().map(String.init)
        expectEqual(Example.program.completions(of: words).map(\.word).joined(separator: " "), expected)
    }

    private func runShell(_ command: String, input: String) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("input")
        try Data(input.utf8).write(to: file)
        process.arguments = ["-c", "\(command) '\(file.path)'"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let complaints = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text, complaints)
    }
}
