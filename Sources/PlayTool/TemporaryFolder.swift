internal import CommandLineTool
internal import Glibc
internal import Synchronization
internal import SystemCalls

/// A folder that is created when first needed and deleted with its content.
final class TemporaryFolder: Sendable {
    private let path = Mutex<String?>(nil)

    /// The folder's path.
    /// - Throws: `SystemError` if it cannot be created.
    func make() throws(SystemError) -> String {
        if let path = path.withLock({ $0 }) { return path }
        let parent = Environment.variable("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/podcast-play.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last("make a folder in \(parent)") }
        let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        path.withLock { $0 = made }
        return made
    }

    /// Deletes the folder; ignores errors, because nothing more can be done.
    func remove() {
        let made = path.withLock { path in
            defer { path = nil }
            return path
        }
        if let made { Self.remove(made, depth: 0) }
    }

    private static func remove(_ path: String, depth: Int) {
        if depth < 8, let folder = opendir(path) {
            while let entry = readdir(folder) {
                let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                guard name != ".", name != ".." else { continue }
                // A symbolic link is deleted, not its target.
                if entry.pointee.d_type == UInt8(DT_DIR) {
                    remove("\(path)/\(name)", depth: depth + 1)
                } else {
                    unlink("\(path)/\(name)")
                }
            }
            closedir(folder)
        }
        rmdir(path)
    }
}
