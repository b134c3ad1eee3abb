import Foundation
import Testing
import TestSupport

/// The checkout that holds this file.
let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The dependencies that Package.swift declares for each module, wrapper and program.
func declaredDependencies() throws -> [String: Set<String>] {
    let text = try String(contentsOf: checkout.appending(path: "Package.swift"), encoding: .utf8)
    let row = /(?:wrapper|module|smallModule|program)\(\s*"(\w[\w-]*)",\s*\[([^\]]*)\]/
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

    private static func imports(of file: URL) throws -> Set<String> {
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        return Set(lines.compactMap { importedModule(String($0)) })
    }

    @Test func everyModuleImportsWhatPackageDeclaresAndNothingElse() throws {
        let declared = try declaredDependencies()
        #expect(declared.count > 40)
        var imports: [String: Set<String>] = [:]
        for (module, file) in try Self.sources() { imports[module, default: []].formUnion(try Self.imports(of: file)) }
        for (module, imported) in imports {
            expectEqual(
                imported.subtracting(Self.everywhere).sorted(),
                declared[module]?.sorted() ?? ["no row in Package.swift"],
                "what the files of \(module) import, and its row in Package.swift")
        }
    }

    /// The lines of Fixtures/folders.txt: a folder below Sources, a colon, and what its files import. Such a folder was made for a purpose that
    /// needs less than its module: the rules of a protocol without sockets, or values without a database.
    @Test func someFoldersImportLessThanTheirModule() throws {
        let list = try String(
            contentsOf: checkout.appending(path: "Tests/ArchitectureTests/Fixtures/folders.txt"), encoding: .utf8)
        for line in list.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let folder = checkout.appending(path: "Sources/\(parts[0])").path + "/"
            let files = try Self.sources().map(\.file).filter { $0.path.hasPrefix(folder) }
            #expect(!files.isEmpty, "\(folder) has no files")
            let imported = try files.reduce(into: Set<String>()) { $0.formUnion(try Self.imports(of: $1)) }
            expectEqual(
                imported.subtracting(Self.everywhere).sorted(),
                parts.last?.split(separator: " ").map(String.init).sorted(),
                "\(parts[0])")
        }
    }

    @Test func everyModuleIsInTheListOfTheArchitecture() throws {
        let text = try String(contentsOf: checkout.appending(path: "docs/ARCHITECTURE.md"), encoding: .utf8)
        for module in try declaredDependencies().keys { #expect(text.contains("\n| `\(module)` |"), "\(module)") }
    }

    /// The folders whose files import a C module: the wrappers.
    static func wrappers() throws -> [String: Set<String>] {
        let modules = Set(
            try FileManager.default.contentsOfDirectory(atPath: checkout.appending(path: "Sources/C").path))
        return try sources().reduce(into: [:]) { folders, source in
            for module in try imports(of: source.file).intersection(modules) {
                folders[module, default: []].insert(source.file.deletingLastPathComponent().path)
            }
        }
    }

    @Test func everyCModuleHasExactlyOneImporter() throws {
        for (module, folders) in try Self.wrappers() where module != "CLinux" {
            // A wrapper may have folders of its own.
            let whole = folders.min { $0.count < $1.count } ?? ""
            expectEqual(folders.filter { !($0 + "/").hasPrefix(whole + "/") }.sorted(), [], "importers of \(module)")
            #expect(
                whole.contains("/Wrappers/") || whole.split(separator: "/").count > checkout.pathComponents.count + 1)
        }
    }

    @Test func everyModuleFolderSaysItsPurposeAndItsRule() throws {
        for module in try declaredDependencies().keys {
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
