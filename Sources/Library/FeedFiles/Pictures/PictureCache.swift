internal import Digest
public import PodcastModel
public import SystemCalls

/// Small copies of covers in a folder, by the URL of the original. Calls wait for the disk.
public struct PictureCache: Sendable {
    public enum Entry: Equatable, Sendable {
        case file([UInt8])
        /// An attempt to fetch or decode the picture failed less than an hour ago.
        case failedRecently
        case missing
    }

    /// Bytes of all pictures; the oldest ones go first.
    static let mostBytes: Int64 = 64 << 20
    /// A copy is fetched again after this time, because publishers replace pictures under the same URL.
    static let freshFor = Duration.seconds(30 * 86_400)
    static let failureLasts = Duration.seconds(3600)
    /// Bytes of one picture.
    private static let largest = 2 << 20

    private let folder: String

    /// - Parameter folder: where nothing else is kept; made with the first picture.
    public init(folder: String) { self.folder = folder }

    public func find(_ url: String, _ form: PictureForm, at now: Timestamp) -> Entry {
        guard let path = path(url, form), let status = try? FileStatus(path: path) else { return .missing }
        let age = Duration.milliseconds(now.milliseconds - Timestamp(seconds: status.modified).milliseconds)
        if status.size == 0 { return age < Self.failureLasts ? .failedRecently : .missing }
        guard age < Self.freshFor, let bytes = try? StoredFile.contents(of: path, limit: Self.largest) else {
            return .missing
        }
        return .file(bytes)
    }

    /// Keeps a picture, or that there is none if it is empty, and deletes the oldest ones beyond `mostBytes`.
    public func keep(_ file: [UInt8], of url: String, _ form: PictureForm) throws(SystemError) {
        guard let path = path(url, form) else { return }
        try StoredFile.makeFolder(folder)
        try StoredFile.replace(path, with: file, isDurable: false)
        try shrink()
    }

    private func shrink() throws(SystemError) {
        var files: [(path: String, status: FileStatus)] = []
        for name in try StoredFile.names(in: folder) {
            let path = "\(folder)/\(name)"
            if let status = try? FileStatus(path: path), status.isRegular { files.append((path, status)) }
        }
        var sum = files.reduce(0) { $0 + $1.status.allocatedSize }
        if sum <= Self.mostBytes { return }
        for file in files.sorted(by: { $0.status.modified < $1.status.modified }) {
            if sum <= Self.mostBytes { break }
            try StoredFile.remove(file.path)
            sum -= file.status.allocatedSize
        }
    }

    /// Nil if OpenSSL is missing; then no picture is kept.
    private func path(_ url: String, _ form: PictureForm) -> String? {
        let ending =
            switch form.format {
            case .jpeg: "jpg"
            case .ppm: "ppm"
            }
        return HashFunction.sha256.hexadecimal(of: Array(url.utf8)).map { "\(folder)/\($0)-\(form.side).\(ending)" }
    }
}
