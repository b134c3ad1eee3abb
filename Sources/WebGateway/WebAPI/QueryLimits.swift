internal import HTTPServing
internal import JSON

/// What a query may hold: the whole address of a request has to fit into the server's memory for headers. What is longer is
/// sent as the body of a POST request.
enum QueryLimits {
    /// Unicode scalars of one value.
    static let length: Int64 = 1_000
    /// Values of a list. The server refuses more values before the gateway sees them.
    static let count = Int64(HTTPServer.Limits.queryValues)

    /// - Throws: 400 for a value that is too long.
    static func check(_ query: [HTTPField]) throws(WebProblem) {
        for field in query where field.value.unicodeScalars.count > length {
            throw .badRequest(
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
