public import LibraryModel
internal import SQLite

extension LibraryStore {
    /// Reads every page of the file and holds rows against their tables: `PRAGMA quick_check`. Takes as long as reading the
    /// file does; for a connection of its own, on a thread that may wait.
    ///
    /// - Returns: the first fault in SQLite's words; nil when there is none.
    public func firstFault() throws(LibraryError) -> String? {
        try read {
            let query = try connection.statement("PRAGMA quick_check(1)")
            defer { query.reset() }
            let words = try query.step() ? query.optionalText(0) : nil
            return words == "ok" ? nil : words ?? "no answer"
        }
    }
}
