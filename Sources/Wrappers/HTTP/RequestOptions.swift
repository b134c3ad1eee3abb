internal import CCurl
internal import Glibc
internal import PodcastModel
internal import SystemCalls

extension EasyHandle {
    /// Sets every option of a request.
    /// - Parameters:
    ///   - context: an unretained `HTTPTransfer` that lives as long as the handle is in use.
    ///   - sockets: an unretained `SocketWatch` that lives as long as the multi's connections.
    func prepare(
        _ request: HTTPRequest, settings: HTTPSettings, context: UnsafeMutableRawPointer,
        sockets: UnsafeMutableRawPointer
    ) throws(HTTPError) {
        try set(CURLOPT_URL, HTTPURL.normalized(request.url))
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
        // Without this libcurl uses SIGALRM for time limits, which is not possible with threads.
        try set(CURLOPT_NOSIGNAL, 1)
        // Without this libcurl waits for the thread of an abandoned lookup.
        try set(CURLOPT_QUICK_EXIT, 1)
        if let body = request.body {
            try set(CURLOPT_POSTFIELDSIZE, body.utf8.count)
            try set(CURLOPT_COPYPOSTFIELDS, body)
        }
        switch request.method {
        case .get: break
        case .head: try set(CURLOPT_NOBODY, 1)
        case .other(let name):
            try require(isToken(name), "the method has an invalid name")
            try set(CURLOPT_CUSTOMREQUEST, name)
        }
        if request.maximumRedirects > 0 {
            try set(CURLOPT_FOLLOWLOCATION, 1)
            try set(CURLOPT_MAXREDIRS, request.maximumRedirects)
            // Cookies live from one redirect to the next: the engine is on, and empty at each request.
            try set(CURLOPT_COOKIEFILE, "")
            try set(CURLOPT_COOKIELIST, "ALL")
        }
        // HTTP/2 would add the attacks of RFC 9113, 10.5, and save nothing: few requests go to the same host at a time.
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        // SHOUTcast servers of version 1.
        try add("ICY 200", to: CURLOPT_HTTP200ALIASES)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_BUFFERSIZE, min(max(request.bufferSize, 1 << 10), 512 << 10))
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(request.timeouts.connect))
        if let total = request.timeouts.total { try set(CURLOPT_TIMEOUT_MS, milliseconds(total)) }
        try setShared(request, settings)
        try addFields(request)
        unsafe try setCallbacks(context, sockets)
        try keepErrors()
    }

    private func setShared(_ request: HTTPRequest, _ settings: HTTPSettings) throws(HTTPError) {
        if let agent = request.userAgent {
            try require(isFieldValue(agent), "the user agent has control characters")
            try set(CURLOPT_USERAGENT, agent)
        } else {
            try set(CURLOPT_USERAGENT, settings.userAgent)
        }
        if let credentials = request.credentials {
            try set(CURLOPT_HTTPAUTH, shim_basic_or_digest())
            try set(CURLOPT_USERNAME, credentials.username)
            try set(CURLOPT_PASSWORD, credentials.password)
        }
        switch request.contentCoding {
        case .gzip: try set(CURLOPT_ACCEPT_ENCODING, "gzip")
        case .identity:
            try set(CURLOPT_ACCEPT_ENCODING, "identity")
            try set(CURLOPT_HTTP_CONTENT_DECODING, 0)
        }
        if let proxy = settings.proxy { try set(CURLOPT_PROXY, proxy) }
        for resolution in settings.resolutions { try add(resolution, to: CURLOPT_RESOLVE) }
        if let file = settings.certificateFile { try set(CURLOPT_CAINFO, file) }
    }

    private func addFields(_ request: HTTPRequest) throws(HTTPError) {
        func field(_ name: String, _ value: String) throws(HTTPError) {
            try require(isFieldValue(value), "the header field \(name) has control characters")
            try add("\(name): \(value)", to: CURLOPT_HTTPHEADER)
        }
        if let start = request.rangeStart {
            try require(start >= 0 && request.rangeEnd ?? .max > start, "the range is empty")
            try set(CURLOPT_RANGE, "\(start)-" + (request.rangeEnd.map { "\($0 - 1)" } ?? ""))
        }
        if let etag = request.etag { try field("If-None-Match", etag) }
        if let date = request.lastModified { try field("If-Modified-Since", date) }
        for (name, value) in request.headers {
            try require(isToken(name), "a header field has an invalid name")
            try field(name, value)
        }
    }

    /// Every address is checked: before libcurl connects, so that hosts of a private network see no connection at all,
    /// and before each request, because an open connection may be reused for another request.
    private func setCallbacks(
        _ context: UnsafeMutableRawPointer, _ sockets: UnsafeMutableRawPointer
    ) throws(HTTPError) {
        let code = unsafe shim_set_callbacks(
            curl, raw, context, sockets,
            // A line of a head.
            { bytes, size, count, context in
                unsafe deliver(bytes, size * count, context) { unsafe $0.receive(headerLine: $1) }
            },
            // Bytes of a body.
            { bytes, size, count, context in
                unsafe deliver(bytes, size * count, context) { unsafe $0.receive(body: $1) }
            },
            // Progress.
            { context, _, received, _, _ in
                unsafe transfer(context)?.handle(.progress(received: Int64(received))) == true ? 0 : 1
            },
            // Before a connection.
            { context, _, address in
                guard let transfer = unsafe transfer(context), let address = unsafe address else {
                    return CURL_SOCKET_BAD
                }
                var bytes = [UInt8](repeating: 0, count: 16)
                let count = unsafe shim_address(address, &bytes)
                guard let target = InternetAddress(bytes: Array(bytes.prefix(Int(count)))), transfer.mayUse(target)
                else { return CURL_SOCKET_BAD }
                let number = unsafe socket(
                    address.pointee.family, address.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
                    address.pointee.protocol)
                if number < 0 {
                    transfer.handle(.obstacle(.exhausted, SystemError.last("socket").description))
                } else {
                    transfer.opened(number)
                }
                return number
            },
            // Before a request on a connection.
            { context, address, _, _, _ in
                guard let transfer = unsafe transfer(context), let address = unsafe address,
                    let target = unsafe InternetAddress(String(cString: address)), transfer.mayUse(target)
                else { return CURL_PREREQFUNC_ABORT }
                transfer.handle(.connected)
                return CURL_PREREQFUNC_OK
            },
            // The end of a connection.
            { sockets, number in
                guard let sockets = unsafe sockets else { return close(number) }
                return unsafe Unmanaged<SocketWatch>.fromOpaque(sockets).takeUnretainedValue().close(number)
            })
        try check(code)
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    unsafe context.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
}

/// Passes bytes from libcurl to a transfer. Returns the number of bytes; any other value makes libcurl stop.
private func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    to take: (HTTPTransfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let transfer = unsafe transfer(context) else { return shim_write_error() }
    return unsafe take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : shim_write_error()
}

private func require(_ holds: Bool, _ message: String) throws(HTTPError) {
    if !holds { throw HTTPError(.invalidRequest, message) }
}

private func milliseconds(_ duration: Duration) -> Int { max(1, Int(duration.nanoseconds / 1_000_000)) }

/// `token` of RFC 9110, 5.6.2.
private func isToken(_ name: String) -> Bool {
    !name.isEmpty
        && name.utf8.allSatisfy { byte in
            byte.isDigit || byte.isLetter
                || "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
}

/// RFC 9110, 5.5: no control characters except tab, so that a value cannot add another line.
func isFieldValue(_ value: String) -> Bool {
    var value = value
    value.makeContiguousUTF8()
    let bytes = value.utf8Span.span
    for index in 0..<bytes.count where (bytes[index] < 0x20 && bytes[index] != 0x09) || bytes[index] == 0x7F {
        return false
    }
    return true
}
