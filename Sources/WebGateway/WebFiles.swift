internal import Glibc
internal import HTTPServing
internal import SystemCalls

/// The files of the web page, read and compressed at the start.
struct WebFiles {
    private struct File {
        var plain: HTTPResponse
        /// Nil if zlib is missing.
        var compressed: HTTPResponse?
    }

    private static let maximumBytes = 1 << 20
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]

    private var files: [String: File] = [:]

    /// Reads the files of a folder whose kind is known.
    init(folder: String) throws(SystemError) {
        for name in try StoredFile.names(in: folder) {
            guard let point = name.lastIndex(of: "."), let type = Self.types[String(name[name.index(after: point)...])]
            else { continue }
            let bytes = try StoredFile.contents(of: folder + "/" + name, limit: Self.maximumBytes)
            var file = File(plain: HTTPResponse(type, bytes))
            file.compressed = Gzip.compress(bytes).map {
                var response = HTTPResponse(type, $0)
                response.headers.append(HTTPField("Content-Encoding", "gzip"))
                return response
            }
            // A cache must not give one client's form to another client.
            file.plain.headers.append(HTTPField("Vary", "Accept-Encoding"))
            file.compressed?.headers.append(HTTPField("Vary", "Accept-Encoding"))
            files[name] = file
        }
        if files["index.html"] == nil { throw SystemError(code: ENOENT, call: folder + "/index.html") }
    }

    /// The file in a form that the client takes.
    func response(_ name: String, to request: HTTPRequest) throws(WebProblem) -> HTTPResponse {
        guard let found = files[name] else { throw .notFound }
        return request.acceptsGzip ? found.compressed ?? found.plain : found.plain
    }

    /// `share/podcastd/web` beside the folder of the program.
    static func installedFolder() throws(SystemError) -> String {
        StoredFile.folder(of: StoredFile.folder(of: try ownExecutablePath())) + "/share/podcastd/web"
    }
}
