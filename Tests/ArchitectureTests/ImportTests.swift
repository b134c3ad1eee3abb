import Foundation
import Testing
import TestSupport

/// The checkout that holds this file.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The module table of docs/ARCHITECTURE.md: module to what it may import.
func moduleTable() throws -> [String: Set<String>] {
    let text = try String(contentsOf: checkout.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
    guard let begin = text.range(of: "| module | one responsibility | may import |") else { return [:] }
    var table: [String: Set<String>] = [:]
    for line in text[begin.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2) {
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        guard cells.count == 3 else { break }
        let allowed = Set(names(in: cells[2]))
        for module in names(in: cells[0]) { table[module] = allowed }
    }
    return table
}

private func names(in cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }
        .map { String($0.element) }
}

/// The dependencies that Package.swift declares for each module, wrapper and program.
func declaredDependencies() throws -> [String: Set<String>] {
    let text = try String(contentsOf: checkout.appending(path: "Package.swift"), encoding: .utf8)
    let row = /(?:wrapper|module|program)\(\s*"(\w[\w-]*)",\s*\[([^\]]*)\]/
    return Dictionary(
        uniqueKeysWithValues: text.matches(of: row).map { match in
            (String(match.1), Set(match.2.matches(of: /"([^"]+)"/).map { String($0.1) }))
        })
}

/// The module that an import line names, whatever stands before it: access, attributes, `struct X.Y`.
func importedModule(_ line: String) -> String? {
    var words = line.split(separator: " ").map(String.init)
    while let first = words.first, first.hasPrefix("@") || accessWords.contains(first) { words.removeFirst() }
    guard words.first == "import", words.count >= 2 else { return nil }
    words.removeFirst()
    if kindWords.contains(words[0]), words.count >= 2 { words.removeFirst() }
    return words[0].split(separator: ".").first.map(String.init)
}

private let accessWords: Set = ["public", "package", "internal", "fileprivate", "private"]
private let kindWords: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]

@Suite struct ImportTests {
    /// Foundation is for tests: `Glibc` and the model's own calendar keep the programs light.
    private static let everywhere: Set = ["Glibc", "Synchronization"]

    static func sources() throws -> [(module: String, file: URL)] {
        let root = checkout.appending(path: "Sources")
        var found: [(String, URL)] = []
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift" else { continue }
            var parts = file.path.dropFirst(root.path.count + 1).split(separator: "/").map(String.init)
            if ["Wrappers", "Programs", "C"].contains(parts[0]) { parts.removeFirst() }
            found.append((parts[0], file))
        }
        return found
    }

    @Test func everyImportLineIsAllowedByTheModuleTable() throws {
        let table = try moduleTable()
        #expect(table.count > 40)
        var lines = 0
        for (module, file) in try Self.sources() {
            guard let allowed = table[module] else {
                Issue.record("\(module) has no row in docs/ARCHITECTURE.md")
                continue
            }
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard let imported = importedModule(String(line)) else { continue }
                lines += 1
                #expect(
                    allowed.contains(imported) || Self.everywhere.contains(imported),
                    "\(module) may not import \(imported): \(file.lastPathComponent)")
            }
        }
        #expect(lines > 100)
    }

    @Test func everyDeclaredDependencyIsImportedBySomeFile() throws {
        var imports: [String: Set<String>] = [:]
        for (module, file) in try Self.sources() {
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            imports[module, default: []].formUnion(lines.compactMap { importedModule(String($0)) })
        }
        for (module, declared) in try declaredDependencies() {
            expectEqual(
                declared.subtracting(imports[module] ?? []).sorted(), [],
                "Package.swift: no file of \(module) imports these")
        }
        for (module, allowed) in try moduleTable() {
            expectEqual(
                allowed.subtracting(imports[module] ?? []).sorted(), [],
                "docs/ARCHITECTURE.md: no file of \(module) imports these")
        }
    }

    @Test func packageAndModuleTableDeclareTheSameDependencies() throws {
        let table = try moduleTable()
        let declared = try declaredDependencies()
        #expect(declared.count > 40)
        for (module, dependencies) in declared { expectEqual(table[module], dependencies, "\(module)") }
    }

    @Test func everyCModuleHasExactlyOneImporter() throws {
        let table = try moduleTable()
        for module in table.keys where module.hasPrefix("C") && module.dropFirst().first?.isUppercase == true {
            let isCModule = FileManager.default.fileExists(
                atPath: checkout.appending(path: "Sources/C/\(module)").path)
            guard isCModule else { continue }
            expectEqual(table.values.filter { $0.contains(module) }.count, 1, "\(module)")
        }
    }

    @Test func everyModuleFolderSaysItsPurposeAndItsRule() throws {
        let table = try moduleTable()
        for module in table.keys {
            for place in ["Sources/\(module)", "Sources/Wrappers/\(module)"] {
                let folder = checkout.appending(path: place)
                guard FileManager.default.fileExists(atPath: folder.path) else { continue }
                let text = try? String(contentsOf: folder.appending(path: "README.md"), encoding: .utf8)
                #expect((text ?? "").split(separator: "\n").count >= 2, "\(place)/README.md")
            }
        }
    }

    @Test(arguments: [
        ("import A", "A"), ("public import A", "A"), ("@testable import A", "A"), ("import struct A.B", "A"),
        ("@preconcurrency internal import A.B", "A"), ("private import func A.b", "A"),
    ])
    func anImportLineIsUnderstoodInEveryForm(line: String, module: String) {
        expectEqual(importedModule(line), module)
    }

    @Test(arguments: ["// import A", "let important = 1", "importing A", ""])
    func anythingElseIsNoImport(line: String) {
        expectEqual(importedModule(line), nil)
    }
}
