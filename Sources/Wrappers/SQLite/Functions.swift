internal import CSQLite

extension Connection {
    /// Adds a function with one text parameter. This connection's SQL can call the function, but not the schema of a
    /// file: sqlite3_create_function_v2(3).
    /// - Parameter body: receives UTF-8 bytes and returns other bytes, or nil for the same text. NULL stays NULL.
    public func addFunction(
        _ name: String, _ body: @escaping (UnsafeRawBufferPointer) -> [UInt8]?
    ) throws(SQLiteError) {
        try unsafe add(name, parameters: 1) { context, arguments in
            guard let argument = unsafe arguments[0], let bytes = unsafe Self.text(argument) else {
                return unsafe sqlite3_result_null(context)
            }
            guard let text = unsafe body(bytes) else { return unsafe sqlite3_result_value(context, argument) }
            unsafe text.withUnsafeBytes { text in
                unsafe shim_result_text(context, text.baseAddress, UInt64(text.count))
            }
        }
    }

    /// Adds a condition on two texts, under the same terms. NULL does not satisfy the condition.
    public func addCondition(_ name: String, _ holds: @escaping (String, String) -> Bool) throws(SQLiteError) {
        try unsafe add(name, parameters: 2) { context, arguments in
            let texts = (0..<2).compactMap { place in
                unsafe arguments[place].flatMap { unsafe Self.text($0) }.map {
                    unsafe String(decoding: $0, as: UTF8.self)
                }
            }
            unsafe sqlite3_result_int(context, texts.count == 2 && holds(texts[0], texts[1]) ? 1 : 0)
        }
    }

    private static func text(_ value: OpaquePointer) -> UnsafeRawBufferPointer? {
        guard let bytes = unsafe sqlite3_value_text(value) else { return nil }
        return unsafe UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(value)))
    }

    private func add(
        _ name: String, parameters count: Int32, _ body: @escaping AddedFunction.Body
    ) throws(SQLiteError) {
        let box = unsafe Unmanaged.passRetained(AddedFunction(unsafe body)).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let code = unsafe sqlite3_create_function_v2(
            handle, name, count, flags, box,
            { context, _, arguments in
                guard let context = unsafe context, let arguments = unsafe arguments else { return }
                unsafe Unmanaged<AddedFunction>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                    .body(context, arguments)
            }, nil, nil,
            { box in if let box = unsafe box { unsafe Unmanaged<AddedFunction>.fromOpaque(box).release() } }
        )
        try database.check(code)
    }

    /// Adds an auxiliary function of the full-text index: `name(table, weight…)` returns how well a row matches.
    ///
    /// Computes BM25's term frequency part for each phrase and column (k1 = 1.2, without length normalization), times
    /// the column's weight. Unlike `bm25()` it ignores how rare a phrase is, because that would require each query to
    /// read all rows that contain the phrase.
    public func addRelevanceFunction(_ name: String) throws(SQLiteError) {
        guard let api = unsafe shim_fts5_api(handle), let create = unsafe api.pointee.xCreateFunction else {
            throw SQLiteError(extendedCode: SQLITE_ERROR, message: "this SQLite has no full-text index (FTS5)")
        }
        let code = unsafe create(
            api, name, nil,
            { extensions, row, context, count, weights in
                guard let extensions = unsafe extensions?.pointee, let row = unsafe row else { return }
                let relevance = unsafe PhraseCounts(extensions, row)?.relevance { column in
                    guard column < count, let weight = unsafe weights?[Int(column)] else { return 1 }
                    return unsafe sqlite3_value_double(weight)
                }
                unsafe sqlite3_result_double(context, relevance ?? 0)
            }, nil)
        try database.check(code)
    }
}

/// Keeps a closure alive while SQLite refers to it.
@safe private final class AddedFunction {
    typealias Body = (_ context: OpaquePointer, _ arguments: UnsafeMutablePointer<OpaquePointer?>) -> Void
    let body: Body
    init(_ body: @escaping Body) { unsafe self.body = body }
}

/// How often each phrase of a query occurs in each column of a row.
private struct PhraseCounts {
    private let columns: Int32
    private var counts: [UInt32]

    /// Nil if the index cannot be read.
    init?(_ extensions: Fts5ExtensionApi, _ row: OpaquePointer) {
        var count: Int32 = 0
        guard unsafe extensions.xInstCount(row, &count) == SQLITE_OK else { return nil }
        columns = unsafe extensions.xColumnCount(row)
        counts = Array(repeating: 0, count: Int(unsafe extensions.xPhraseCount(row) * columns))
        for index in 0..<count {
            var (phrase, column, offset): (Int32, Int32, Int32) = (0, 0, 0)
            guard unsafe extensions.xInst(row, index, &phrase, &column, &offset) == SQLITE_OK else { return nil }
            counts[Int(phrase * columns + column)] += 1
        }
    }

    func relevance(weight: (Int32) -> Double) -> Double {
        var sum = 0.0
        for (place, count) in counts.enumerated() where count > 0 {
            sum += weight(Int32(place) % columns) * Double(count) * 2.2 / (Double(count) + 1.2)
        }
        return sum
    }
}
