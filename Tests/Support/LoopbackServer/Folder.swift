internal import Glibc
internal import SystemCalls

/// A file that stays open while it is served.
final class OpenFile: Sendable {
    let count: Int
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor, count: Int) {
        self.descriptor = descriptor
        self.count = count
    }

    func bytes(_ part: Range<Int>) throws(SystemError) -> [UInt8] {
        try StoredFile.read(descriptor.raw, at: Int64(part.lowerBound), count: part.count)
    }
}

/// Serves the files in a folder like a web server.
public struct Folder: Sendable {
    private let root: String

    /// Serves the files below this path; follows symbolic links in it.
    public init(_ root: String) { self.root = root }

    /// The file for a request path; nil if there is none or it may not be served.
    public func resource(_ path: String) -> Resource? {
        guard let name = Folder.decoded(path), !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }),
            let file = try? FileDescriptor.open(root + "/" + name, O_RDONLY | O_NONBLOCK),
            let status = try? FileStatus(of: file.raw), status.isRegular
        else { return nil }
        return Resource(
            file: OpenFile(file, count: Int(status.size)), contentType: Folder.contentType(name),
            etag: "\"\(String(status.inode, radix: 16))-\(String(status.size, radix: 16))"
                + "-\(String(status.modified, radix: 16))-\(String(status.modifiedNanoseconds, radix: 16))\"",
            lastModified: Folder.date(status.modified))
    }

    /// Percent-decodes a path; nil if it is malformed or contains an encoded zero byte.
    static func decoded(_ path: String) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(path.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), value != 0 else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func contentType(_ name: String) -> String {
        let types = [
            "xml": "application/rss+xml", "rss": "application/rss+xml", "atom": "application/atom+xml",
            "opml": "text/x-opml", "mp3": "audio/mpeg", "mp2": "audio/mpeg", "m4a": "audio/mp4", "ogg": "audio/ogg",
            "opus": "audio/ogg", "flac": "audio/flac", "wav": "audio/wav", "json": "application/json",
            "html": "text/html", "txt": "text/plain", "jpg": "image/jpeg", "png": "image/png",
        ]
        let parts = name.split(separator: ".")
        return parts.count > 1
            ? types[parts[parts.count - 1].lowercased()] ?? "application/octet-stream" : "application/octet-stream"
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110, 5.6.7).
    private static func date(_ seconds: Int64) -> String {
        var (instant, parts) = (time_t(seconds), tm())
        gmtime_r(&instant, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][Int(parts.tm_wday)]
        let month = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][
            Int(parts.tm_mon)]
        let clock = "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
        return "\(day), \(two(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(clock) GMT"
    }
}
