import Glibc
@testable import Library
import LibraryModel

/// What people type to search for: SQLite takes what becomes of it, whatever it was, and what is marked in a text is the text.
enum SearchFuzz {
    static func run(_ input: FuzzInput) {
        var input = input
        let length = Int(input.number(UInt8.self))
        let typed = String(decoding: input.take(length), as: UTF8.self)
        // Texts of the library hold no control characters.
        let text = String(String.UnicodeScalarView(input.text.unicodeScalars.filter { !isControl($0) }))
        guard let query = SearchQuery(typed) else { return }
        require(
            query.required.count + query.excluded.count <= SearchQuery.maximumTerms, "\(typed.debugDescription) is long"
        )
        do {
            for stage in [SearchRun.Stage.titles, .notes, .spoken] { _ = try library.expression(of: query, in: stage) }
            for (_, excerpt) in try library.marked([text], query) {
                require(excerpt.pieces.count > 1, "nothing is marked for \(query.expression)")
                require(visible(excerpt.text) == visible(text), "\(text.debugDescription) became \(excerpt)")
            }
        } catch {
            // What SQLite refuses is a finding, which libFuzzer knows by the crash.
            fatalError("\(error): \(query.expression.debugDescription)")
        }
    }

    /// One empty library for all inputs: what is asked of it is the language of its searches.
    ///
    /// Unchecked because libFuzzer asks on one thread, which alone ever touches it. Without a library there is nothing to
    /// try: the run ends.
    nonisolated(unsafe) private static let library: LibraryStore = {
        var folder = Array("/tmp/podcastd-fuzz.XXXXXX".utf8CString)
        guard let folder = mkdtemp(&folder).map({ String(cString: $0) }) else { fatalError("no folder for a library") }
        do {
            return try LibraryStore(path: folder + "/library.db")
        } catch {
            fatalError("\(error)")
        }
    }()

    private static func visible(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { !isControl($0) && !$0.properties.isWhitespace }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .control }
}
