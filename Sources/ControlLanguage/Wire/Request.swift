public import JSON
internal import PodcastModel

/// One request or notification.
public struct Request: Equatable, Sendable {
    /// Maximum bytes of an id that is a string. The response repeats the id, and an error must fit in any line.
    public static let maximumIDBytes = 256

    /// Id for the response: text, a number or `null`; nil for a notification, which has no response.
    public var id: JSONValue?
    public var method: String
    public var params: JSONValue?

    public init(id: JSONValue?, method: String, params: JSONValue? = nil) {
        self.id = id
        self.method = method
        self.params = params
    }

    /// Reads one request: JSON-RPC 2.0, section 4. Unknown members are ignored.
    init(json: JSONValue) throws(Malformed) {
        guard case .object = json else { throw Malformed(id: .null, what: "a request is an object") }
        let id = json["id"]
        switch id {
        case nil, .null?, .integer?, .number?: break
        case .string(let text)?:
            if text.utf8.count > Self.maximumIDBytes {
                throw Malformed(id: .null, what: "id is longer than \(Self.maximumIDBytes) bytes")
            }
        case .bool?, .array?, .object?: throw Malformed(id: .null, what: "id is neither text nor a number")
        }
        guard json["jsonrpc"]?.stringValue == "2.0" else {
            throw Malformed(id: id ?? .null, what: "jsonrpc is not \"2.0\"")
        }
        guard let method = json["method"]?.stringValue else {
            throw Malformed(id: id ?? .null, what: "method is missing")
        }
        self.init(id: id, method: method, params: json["params"])
    }

    /// A malformed request; the response uses `id`.
    public struct Malformed: Error, Equatable {
        /// The id, if it could be read.
        public var id: JSONValue
        public var what: String
        public var error: ControlError {
            ControlError(
                .invalidRequest, what, hint: #"write {"jsonrpc":"2.0","id":1,"method":"status.get"} on one line"#)
        }
    }

    /// Appends the request as a line, with its line break.
    public func write(to bytes: inout [UInt8]) {
        bytes.append(text: #"{"jsonrpc":"2.0","#)
        if let id {
            bytes.append(text: #""id":"#)
            id.write(to: &bytes)
            bytes.append(.comma)
        }
        bytes.append(text: #""method":"#)
        JSONValue.string(method).write(to: &bytes)
        if let params {
            bytes.append(text: #","params":"#)
            params.write(to: &bytes)
        }
        bytes.append(text: "}\n")
    }
}

/// One line from a client.
public enum Incoming: Equatable, Sendable {
    case single(Result<Request, Request.Malformed>)
    /// A batch: JSON-RPC 2.0, section 6.
    case batch([Result<Request, Request.Malformed>])

    static let maximumBatch = 100

    /// Reads a line without its line break.
    /// - Throws: `ControlError` if the line is not JSON, or if a batch is empty or too long.
    public init(line: UnsafeRawBufferPointer) throws(ControlError) {
        let json = try mapError(of: JSONValue(parsing: line)) { (error: JSONError) in
            ControlError(.parseError, error.description, hint: "one JSON object on a line, in UTF-8")
        }
        func request(_ json: JSONValue) -> Result<Request, Request.Malformed> {
            Result { () throws(Request.Malformed) in try Request(json: json) }
        }
        guard case .array(let elements) = json else {
            self = .single(request(json))
            return
        }
        if elements.isEmpty { throw ControlError(.invalidRequest, "the batch is empty") }
        if elements.count > Self.maximumBatch {
            throw ControlError(
                .invalidRequest, "the batch has more than \(Self.maximumBatch) requests", hint: "send several lines")
        }
        self = .batch(elements.map(request))
    }
}

/// Responses and notifications of a server, each appended to the bytes to send.
public enum Outgoing {
    /// The version of the protocol in `hello`.
    public static let protocolVersion: Int64 = 1
    /// Maximum bytes of a line, without its line break.
    public static let maximumLine = 1 << 20
    /// Bytes for a response with an error of the connection and the longest id, with all bytes escaped.
    static let errorReserve = Request.maximumIDBytes * 6 + 512

    /// A response without line break: JSON-RPC 2.0, section 5.
    static func response(_ id: JSONValue, _ result: CommandResult, to bytes: inout [UInt8]) {
        bytes.append(text: #"{"jsonrpc":"2.0","id":"#)
        id.write(to: &bytes)
        switch result {
        case .success(let value):
            bytes.append(text: #","result":"#)
            value.write(to: &bytes)
        case .failure(let error):
            bytes.append(text: #","error":"#)
            error.json.write(to: &bytes)
        }
        bytes.append(.closingBrace)
    }

    /// The line of an error that belongs to no request, for example "line too long".
    public static func errorLine(_ error: ControlError) -> [UInt8] {
        var bytes: [UInt8] = []
        response(.null, .failure(error), to: &bytes)
        bytes.append(.newline)
        return bytes
    }

    /// The server's first line.
    public static func hello(version: String, permission: CommandDeclaration.Permission) -> [UInt8] {
        notification("hello", HelloReply(server: VersionReply(version: version), permission: permission).json)
    }

    /// The line that reports a change of a part to a client whose copy of the part's list has revision `since`.
    ///
    /// - Parameter permission: what the client may see.
    public static func event(
        _ part: StatusPart, sequence: UInt64, _ update: PartUpdate, since: UInt64,
        to permission: CommandDeclaration.Permission
    ) -> [UInt8] {
        var update = update
        update.value = update.value.shortened(toFit: maximumLine - errorReserve) ?? .null
        let event = EventReply(sequence: sequence, part: part, update, since: since)
        return notification("event", event.json.showing(to: permission))
    }

    private static func notification(_ method: String, _ params: JSONValue) -> [UInt8] {
        var bytes: [UInt8] = []
        Request(id: nil, method: method, params: params).write(to: &bytes)
        return bytes
    }
}

extension Result<Request, Request.Malformed> {
    /// Approximate memory in bytes.
    var heldBytes: Int {
        guard case .success(let request) = self else { return MemoryLayout<Self>.stride }
        return MemoryLayout<Self>.stride + request.method.utf8.count + (request.params?.heldBytes ?? 0)
    }
}

extension JSONValue {
    /// Approximate memory in bytes, without the value itself.
    fileprivate var heldBytes: Int {
        switch self {
        case .null, .bool, .integer, .number: 0
        case .string(let text): text.utf8.count
        case .array(let elements):
            elements.reduce(0) { $0 + $1.heldBytes + MemoryLayout<JSONValue>.stride }
        case .object(let members):
            members.reduce(0) { $0 + $1.value.heldBytes + $1.name.utf8.count + MemoryLayout<Member>.stride }
        }
    }
}
