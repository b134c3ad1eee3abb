internal import ControlLanguage
internal import ControlProtocol
internal import HTTPServing
internal import JSON
internal import PodcastModel

extension WebRoutes {
    /// The OpenAPI 3.1 document of all routes, made from the declared commands.
    func openAPI(version: String) -> JSONValue {
        var schemas = ResultSchemas(referringTo: "#/components/schemas/")
        var paths: [(path: String, operations: [JSONValue.Member])] = []
        func add(_ path: String, _ method: String, _ operation: JSONValue) {
            let member = JSONValue.Member(method.lowercased(), operation)
            if let index = paths.firstIndex(where: { $0.path == path }) {
                paths[index].operations.append(member)
            } else {
                paths.append((path, [member]))
            }
        }
        for route in ResourceRoute.all {
            guard let command = commands.first(where: { $0.declaration.name == route.command }) else { continue }
            add(
                Self.root + route.parts.joinedText("/"), route.method,
                Self.operation(command, route.method, route, &schemas))
        }
        for command in commands {
            let declaration = command.declaration
            let path = Self.root + declaration.section + "/" + declaration.verb
            if declaration.permission == .read { add(path, "GET", Self.operation(command, "GET", nil, &schemas)) }
            add(path, "POST", Self.operation(command, "POST", nil, &schemas))
        }
        add("/events", "GET", Self.events)
        for (path, method, operation) in Self.others { add(Self.root + path, method, operation) }
        let problem = JSONValue.Member("Problem", Self.problem)
        return [
            "openapi": "3.1.0",
            "info": [
                "title": "podcastd", "version": .string(version),
                "description": "The podcast player's commands over HTTP. See docs/WEB.md.",
            ],
            // What holds for an operation without its own entry.
            "security": .array(Self.logins),
            "paths": .object(paths.map { .init($0.path, .object($0.operations)) }),
            "components": [
                "schemas": .object(schemas.definitions + [problem]),
                "securitySchemes": [
                    "login": ["type": "http", "scheme": "basic"], "token": ["type": "http", "scheme": "bearer"],
                ],
            ],
        ]
    }

    private static let logins: [JSONValue] = [["login": []], ["token": []]]

    private static func operation(
        _ command: OfferedCommand, _ method: String, _ route: ResourceRoute?, _ schemas: inout ResultSchemas
    ) -> JSONValue {
        let declaration = command.declaration
        let result = command.resultSchema(in: &schemas)
        var requestBody: JSONValue?
        var parameters: [JSONValue] = []
        if let name = route?.parts.first(where: { $0.hasPrefix("{") })?.dropFirst().dropLast() {
            let type: JSONValue = name == "key" ? "string" : "integer"
            parameters.append(
                ["name": .string(String(name)), "in": "path", "required": true, "schema": ["type": type]])
        }
        let inPath = route?.parameter(of: declaration)?.name
        let rest = declaration.parameters.filter { $0.name != inPath }
        if method == "GET" {
            parameters += rest.map { parameter in
                [
                    "name": .string(parameter.name), "in": "query", "required": .bool(parameter.isRequired),
                    "description": .string(parameter.help), "schema": QueryLimits.narrow(parameter.schema),
                ]
            }
        } else if !rest.isEmpty {
            requestBody = body(rest)
        }
        let isPicture = WebCommand(declaration: declaration, route: route).isPicture
        let content: JSONValue =
            isPicture ? ["image/jpeg": [:]] : ["application/json": ["schema": result]]
        let responses: JSONValue = [
            "200": ["description": .string(declaration.result), "content": content],
            "414": tooLong, "431": tooLong, "default": problemResponse,
        ]
        return JSONValue(omittingNulls: [
            "summary": declaration.summary, "tags": [declaration.section],
            "operationId": identifier(declaration, method, route), "requestBody": requestBody,
            "parameters": parameters.nonEmpty, "responses": responses,
            "security": declaration.permission == .read ? [[:]] + logins : logins,
            "x-permission": declaration.permission.rawValue,
        ])
    }

    /// The daemon takes null for a parameter that is left out.
    private static func body(_ parameters: [ParameterDeclaration]) -> JSONValue {
        let properties = parameters.map { parameter in
            let schema = parameter.schema
            return JSONValue.Member(
                parameter.name, parameter.isRequired ? schema : ["anyOf": [schema, ["type": "null"]]])
        }
        let required = parameters.filter(\.isRequired).map { JSONValue.string($0.name) }
        return [
            "required": .bool(!required.isEmpty),
            "content": [
                "application/json": [
                    "schema": [
                        "type": "object", "properties": .object(properties), "required": .array(required),
                        "additionalProperties": false,
                    ]
                ]
            ],
        ]
    }

    private static func identifier(
        _ declaration: CommandDeclaration, _ method: String, _ route: ResourceRoute?
    ) -> String {
        let path = route?.parts.map { $0.filter { $0.isLetter } } ?? [declaration.section, declaration.verb, "command"]
        return method.lowercased() + path.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The server refuses such a request before the gateway sees the request, so the answer is not a problem document.
    private static let tooLong: JSONValue = [
        "description": "The request's line and headers are longer than about 4 KiB."
    ]

    private static let problemResponse: JSONValue = [
        "description": "A problem: RFC 9457.",
        "content": ["application/problem+json": ["schema": ["$ref": "#/components/schemas/Problem"]]],
    ]

    private static let events: JSONValue = [
        "summary": "Server-sent events: a snapshot of the status, then its changes.", "tags": ["status"],
        "operationId": "getEvents",
        "parameters": [
            [
                "name": "parts", "in": "query", "required": false, "style": "form", "explode": false,
                "description": "Parts of the status, separated by commas (default: all).",
                "schema": [
                    "type": "array",
                    "items": ["type": "string", "enum": .array(StatusPart.allCases.map { .string($0.rawValue) })],
                ],
            ]
        ],
        "responses": [
            "200": ["description": "Events.", "content": ["text/event-stream": [:]]], "default": problemResponse,
        ],
        "security": .array([[:]] + logins),
    ]

    /// What podcast-web answers without a command of the same name.
    private static let others: [(path: String, method: String, operation: JSONValue)] = {
        let id: JSONValue = ["name": "id", "in": "path", "required": true, "schema": ["type": "integer"]]
        let device: JSONValue = [
            "type": "object", "required": ["caption"], "additionalProperties": false,
            "properties": ["caption": ["type": "string", "minLength": 1], "flow": ["type": "string"]],
        ]
        let body: JSONValue = ["required": true, "content": ["application/json": ["schema": device]]]
        let json: JSONValue = ["application/json": [:]]
        func operation(
            _ path: String, _ method: String, _ name: String, _ summary: String, _ status: String,
            answers content: JSONValue = [:], parameters: JSONValue? = nil, requestBody: JSONValue? = nil
        ) -> (String, String, JSONValue) {
            let responses: JSONValue = [
                status: ["description": "Done.", "content": content], "default": problemResponse,
            ]
            let operation = JSONValue(omittingNulls: [
                "operationId": name, "summary": summary, "responses": responses, "parameters": parameters,
                "requestBody": requestBody,
            ])
            return (path, method, operation)
        }
        return [
            operation(
                "episodes/{id}/audio", "GET", "getEpisodeAudio", "The episode's file, or ranges of it (206).", "200",
                answers: ["*/*": [:]], parameters: [id]),
            operation(
                "session", "POST", "postSession", "Log a browser in, by a cookie; with `stay` for 30 days.", "204"),
            operation("session", "DELETE", "deleteSession", "Log the browser out.", "204"),
            operation(
                "logins", "GET", "getLogins", "Users, tokens, and browsers that are logged in.", "200", answers: json),
            operation(
                "logins/{id}", "DELETE", "deleteLogins", "End the login of a browser.", "200", answers: json,
                parameters: [["name": "id", "in": "path", "required": true, "schema": ["type": "string"]]]),
            operation(
                "devices", "POST", "postDevices", "Add a device with an app password.", "200",
                answers: json, requestBody: body),
        ]
    }()

    private static let problem: JSONValue = [
        "type": "object",
        "properties": [
            "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
            "detail": ["type": "string", "description": "What failed."],
            "hint": ["type": "string", "description": "What to do about it."],
            "code": ["type": "integer", "description": "The daemon's error code; see PROTOCOL.md."],
        ],
    ]
}

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
