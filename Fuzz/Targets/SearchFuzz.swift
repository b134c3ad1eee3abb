import Glibc
@testable import Library

/// Search input: SQLite accepts every query made from it, and a text with the marks of matches removed is the original
/// text.
enum SearchFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        let length = Int(input.number(UInt8.self))
        let typed = String(decoding: input.take(length), as: UTF8.self)
        // Texts in the library contain no control characters.
        let text = String(String.UnicodeScalarView(input.text.unicodeScalars.filter { !isControl($0) }))
        guard let query = SearchQuery(typed) else { return }
        require(
            query.required.count + query.excluded.count <= SearchQuery.maximumTerms, "\(typed.debugDescription) is long"
        )
        do {
            for index in WordIndex.allCases { _ = try library.expression(of: query, in: index) }
            for (_, excerpt) in try library.marked([text], query) {
                require(excerpt.pieces.count > 1, "nothing is marked for \(query.expression)")
                require(visible(excerpt.pieces.joined()) == visible(text), "\(text.debugDescription) became \(excerpt)")
            }
        } catch {
            // SQLite must accept the query; the crash reports the finding to libFuzzer.
            fatalError("\(error): \(query.expression.debugDescription)")
        }
    }

    /// One empty library for all inputs, to run the queries against.
    ///
    /// Unchecked because libFuzzer runs all inputs on one thread, the only one that uses it. Without a library the run
    /// cannot continue and ends.
    nonisolated(unsafe) private static let library: EpisodeStore = {
        var folder = Array("/tmp/podcastd-fuzz.XXXXXX".utf8CString)
        guard let folder = mkdtemp(&folder).map({ String(cString: $0) }) else { fatalError("no folder for a library") }
        do {
            return try LibraryStore(path: folder + "/library.db").episodes
        } catch {
            fatalError("\(error)")
        }
    }()

    private static func visible(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { !isControl($0) && !$0.properties.isWhitespace }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}
