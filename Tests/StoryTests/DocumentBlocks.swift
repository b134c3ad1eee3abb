import Foundation

/// What a file in `docs/` shows, as it is there.
enum DocumentBlocks {
    static func text(of name: String) throws -> String {
        let document = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../docs/\(name)").standardizedFileURL
        return try String(contentsOf: document, encoding: .utf8)
    }

    /// The code blocks of a language.
    static func all(of language: String, in name: String) throws -> [String] {
        try text(of: name).components(separatedBy: "```\(language)\n").dropFirst()
            .map { $0.components(separatedBy: "```").first! }
    }
}
