internal import JSON

/// What a query may hold: the whole address of a request has to fit into the server's memory for headers. What is longer is
/// sent as the body of a POST request.
enum QueryLimits {
    /// Unicode scalars of one value.
    static let length: Int64 = 1_000
    /// Values of a list. Each value takes about 80 bytes of the server's memory besides its text.
    static let count: Int64 = 50

    /// - Throws: 400 for a query that is too long.
    static func check(_ query: [WebField]) throws(WebProblem) {
        if query.count > count {
            throw WebProblem(400, "Bad request", "the query has more than \(count) values; send them with POST")
        }
        for field in query where field.value.unicodeScalars.count > length {
            throw WebProblem(
                400, "Bad request",
                "the value of \(field.name.prefix(80)) has more than \(length) characters; send it with POST")
        }
    }

    /// The schema of a parameter in a query.
    static func narrow(_ schema: JSONValue) -> JSONValue {
        switch schema {
        case .array(let values): .array(values.map(narrow))
        case .object(let members): .object(members.map { JSONValue.Member($0.name, narrow($0.value, of: $0.name)) })
        default: schema
        }
    }

    private static func narrow(_ value: JSONValue, of keyword: String) -> JSONValue {
        switch (keyword, value) {
        case ("maxLength", .integer(let limit)): .integer(min(limit, length))
        case ("maxItems", .integer(let limit)): .integer(min(limit, count))
        default: narrow(value)
        }
    }
}
