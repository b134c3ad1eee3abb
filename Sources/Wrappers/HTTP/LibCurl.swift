internal import CCurl
internal import Glibc

/// libcurl, loaded when first asked for and kept: a process that fetches nothing carries nothing of it.
enum LibCurl {
    /// Its functions, started with `curl_global_init(3)`; or why there are none.
    static func functions() throws(HTTPError) -> UnsafePointer<curl_functions> { try unsafe loaded.get() }

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

    // Safe to share: written once, under the lock of a global's first use, and libcurl's functions never change.
    private nonisolated(unsafe) static let loaded: Result<UnsafePointer<curl_functions>, HTTPError> = {
        guard let curl = unsafe shim_load() else {
            let reason = unsafe text(dlerror()) ?? "a function is missing"
            return unsafe .failure(HTTPError(.internal, "libcurl is not there (\(reason)); install libcurl4"))
        }
        let code = unsafe curl.pointee.global_init(Int(CURL_GLOBAL_DEFAULT))
        guard code == CURLE_OK else {
            let reason = unsafe text(curl.pointee.easy_strerror(code)) ?? "error \(code.rawValue)"
            return unsafe .failure(HTTPError(.internal, "libcurl cannot start: \(reason)"))
        }
        return unsafe .success(UnsafePointer(curl))
    }()
}
