internal import Glibc
internal import HTTPServing
internal import SystemCalls

/// The files of the web remote, read at the start.
struct WebFiles {
    private static let maximumBytes = 1 << 20
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "webmanifest": "application/manifest+json",
    ]

    private var files: [String: HTTPResponse] = [:]

    /// Reads the files of a folder whose kind is known.
    init(folder: String) throws(SystemError) {
        for name in try StoredFile.names(in: folder) {
            guard let point = name.lastIndex(of: "."), let type = Self.types[String(name[name.index(after: point)...])]
            else { continue }
            files[name] = HTTPResponse(type, try StoredFile.contents(of: folder + "/" + name, limit: Self.maximumBytes))
        }
        if files["index.html"] == nil { throw SystemError(code: ENOENT, call: folder + "/index.html") }
    }

    func response(_ name: String) throws(WebProblem) -> HTTPResponse {
        guard let found = files[name] else { throw .notFound }
        return found
    }

    /// `share/podcastd/web` beside the folder of the program.
    static func installedFolder() throws(SystemError) -> String {
        StoredFile.folder(of: StoredFile.folder(of: try ownExecutablePath())) + "/share/podcastd/web"
    }
}
