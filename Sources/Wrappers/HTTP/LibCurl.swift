internal import CCurl
internal import Glibc
internal import Synchronization

/// libcurl, loaded when first asked for and kept: a process that fetches nothing carries nothing of it.
enum LibCurl {
    /// Its functions, started with `curl_global_init(3)`; or why there are none.
    ///
    /// A failure is not kept: it may be a moment without descriptors, and the next call tries again.
    static func functions() throws(HTTPError) -> UnsafePointer<curl_functions> {
        let known = loaded.load(ordering: .acquiring)
        if let functions = unsafe UnsafePointer<curl_functions>(bitPattern: known) { return unsafe functions }
        let address = try loading.withLock { (_) throws(HTTPError) in
            let known = loaded.load(ordering: .relaxed)
            if known != 0 { return known }
            let address = unsafe UInt(bitPattern: try load())
            loaded.store(address, ordering: .releasing)
            return address
        }
        guard let functions = unsafe UnsafePointer<curl_functions>(bitPattern: address) else {
            throw HTTPError(.internal, "libcurl is not there")
        }
        return unsafe functions
    }

    /// What a code of a transfer means, in libcurl's words.
    static func words(_ code: CURLcode) -> String {
        unsafe text((try? functions())?.pointee.easy_strerror(code)) ?? "libcurl's error \(code.rawValue)"
    }

    /// What a code of a multi handle means, in libcurl's words.
    static func words(_ code: CURLMcode) -> String {
        unsafe text((try? functions())?.pointee.multi_strerror(code)) ?? "libcurl's error \(code.rawValue)"
    }

    private static func text(_ words: UnsafePointer<CChar>?) -> String? {
        unsafe words.map { unsafe String(cString: $0) }
    }

    /// The address of the functions, 0 before they were found; they never change.
    private static let loaded = Atomic<UInt>(0)
    private static let loading = Mutex<Void>(())

    private static func load() throws(HTTPError) -> UnsafePointer<curl_functions> {
        guard let curl = unsafe shim_load() else {
            let reason = unsafe text(dlerror()) ?? "a function is missing"
            throw HTTPError(.exhausted, "libcurl cannot be loaded (\(reason)); is libcurl4 installed?")
        }
        let code = unsafe curl.pointee.global_init(Int(CURL_GLOBAL_DEFAULT))
        guard code == CURLE_OK else {
            let reason = unsafe text(curl.pointee.easy_strerror(code)) ?? "error \(code.rawValue)"
            throw HTTPError(.internal, "libcurl cannot start: \(reason)")
        }
        return unsafe UnsafePointer(curl)
    }
}
