internal import CCurl
internal import PodcastModel
internal import SystemCalls

/// One `CURL *` and the memory that its options point to. One thread.
@safe final class EasyHandle {
    let raw: UnsafeMutableRawPointer
    let curl: UnsafePointer<curl_functions>
    /// libcurl's error message: `CURL_ERROR_SIZE` bytes, zero-terminated.
    private let errorText: UnsafeMutablePointer<CChar>
    /// Lists of texts, by the option that points to each.
    private var lists: [UInt32: UnsafeMutablePointer<curl_slist>] = unsafe [:]

    /// Nil if libcurl has no memory.
    init?(_ curl: UnsafePointer<curl_functions>) {
        guard let raw = unsafe curl.pointee.easy_init() else { return nil }
        unsafe self.raw = unsafe raw
        unsafe self.curl = unsafe curl
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        unsafe curl.pointee.easy_cleanup(raw)
        freeLists()
        unsafe errorText.deallocate()
    }

    private func freeLists() {
        unsafe lists.values.forEach { unsafe curl.pointee.slist_free_all($0) }
    }

    /// Resets every option for another request; connections belong to the multi handle.
    func reset() {
        unsafe curl.pointee.easy_reset(raw)
        freeLists()
        unsafe lists = unsafe [:]
        unsafe errorText[0] = 0
    }

    /// `flags`: `CURLPAUSE_CONT` or `CURLPAUSE_RECV`, curl_easy_pause(3).
    func pause(_ flags: Int32) { _ = unsafe curl.pointee.easy_pause(raw, flags) }

    /// libcurl's message about the last failure; may be empty.
    var errorMessage: String { unsafe String(cString: errorText) }

    /// Why the system could not connect; nil otherwise.
    var systemReason: String? {
        var code = 0
        guard unsafe shim_info_long(curl, raw, CURLINFO_OS_ERRNO, &code) == CURLE_OK, code != 0 else { return nil }
        return SystemError(code: Int32(clamping: code), call: "connect").reason
    }

    /// The URL of the current request, after redirects.
    var effectiveURL: String {
        var value: UnsafePointer<CChar>?
        guard unsafe shim_info_text(curl, raw, CURLINFO_EFFECTIVE_URL, &value) == CURLE_OK, let value = unsafe value
        else { return "" }
        return unsafe String(cString: value)
    }

    /// `Retry-After` in seconds from now (RFC 9110 section 10.2.3). A date is compared with the response's own date, if
    /// present, because our clock may be wrong.
    /// At most a year.
    func retryAfter(_ headers: HTTPHeaders) -> Int? {
        let year = 31_622_400
        // libcurl 8.23 shortens a number to six hours.
        if let seconds = headers["retry-after"].flatMap({ Int($0) }) { return seconds > 0 ? min(seconds, year) : nil }
        if let sent = headers["date"], let wanted = headers["retry-after"] {
            let (start, end) = unsafe (curl.pointee.getdate(sent, nil), curl.pointee.getdate(wanted, nil))
            if start >= 0, end > start { return min(end - start, year) }
        }
        let seconds = number(CURLINFO_RETRY_AFTER)
        return seconds > 0 ? Int(seconds) : nil
    }

    func date(_ headers: HTTPHeaders) -> Timestamp? {
        guard let sent = headers["date"] else { return nil }
        let seconds = unsafe curl.pointee.getdate(sent, nil)
        return seconds > 0 ? Timestamp(seconds: Int64(seconds)) : nil
    }

    func number(_ info: CURLINFO) -> Int64 {
        var value: curl_off_t = 0
        return unsafe shim_info_number(curl, raw, info, &value) == CURLE_OK ? Int64(value) : 0
    }

    func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
        try check(unsafe shim_set_long(curl, raw, option, value))
    }

    func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
        try check(unsafe shim_set_text(curl, raw, option, value))
    }

    /// Adds a text without line endings to the list of an option.
    func add(_ text: String, to option: CURLoption) throws(HTTPError) {
        guard let longer = unsafe curl.pointee.slist_append(lists[option.rawValue], text) else {
            throw HTTPError(.internal, "out of memory")
        }
        unsafe lists[option.rawValue] = unsafe longer
        try check(unsafe shim_set_list(curl, raw, option, longer))
    }

    /// Makes libcurl write its messages to `errorMessage`.
    func keepErrors() throws(HTTPError) {
        try check(unsafe shim_set_pointer(curl, raw, CURLOPT_ERRORBUFFER, errorText))
    }

    func check(_ code: CURLcode) throws(HTTPError) {
        if code != CURLE_OK { throw HTTPError(.internal, LibCurl.message(code)) }
    }
}
