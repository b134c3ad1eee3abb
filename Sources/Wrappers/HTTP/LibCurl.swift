internal import CCurl
internal import Glibc
internal import Synchronization

/// libcurl, loaded at its first use and kept: a process without transfers has no cost.
enum LibCurl {
    /// libcurl's functions, after `curl_global_init(3)`. A failure, for example without free descriptors, is not final.
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
            throw HTTPError(.internal, "libcurl is not loaded")
        }
        return unsafe functions
    }

    static func message(_ code: CURLcode) -> String {
        unsafe text((try? functions())?.pointee.easy_strerror(code)) ?? "libcurl error \(code.rawValue)"
    }

    static func message(_ code: CURLMcode) -> String {
        unsafe text((try? functions())?.pointee.multi_strerror(code)) ?? "libcurl error \(code.rawValue)"
    }

    private static func text(_ message: UnsafePointer<CChar>?) -> String? {
        unsafe message.map { unsafe String(cString: $0) }
    }

    /// Address of the functions; 0 before they are loaded.
    private static let loaded = Atomic<UInt>(0)
    private static let loading = Mutex<Void>(())

    private static func load() throws(HTTPError) -> UnsafePointer<curl_functions> {
        guard let curl = unsafe shim_load() else {
            let reason = unsafe text(dlerror()) ?? "a function is missing"
            throw HTTPError(.exhausted, "cannot load libcurl (\(reason)); is libcurl4 installed?")
        }
        let code = unsafe curl.pointee.global_init(Int(CURL_GLOBAL_DEFAULT))
        guard code == CURLE_OK else {
            let reason = unsafe text(curl.pointee.easy_strerror(code)) ?? "error \(code.rawValue)"
            throw HTTPError(.internal, "cannot initialize libcurl: \(reason)")
        }
        return unsafe UnsafePointer(curl)
    }
}
