internal import CShout
internal import PodcastModel

/// A failed call of libshout, with its message.
struct ShoutError: Error, CustomStringConvertible {
    /// A wrong password, a mount point in use or too many sources: libshout does not tell these apart.
    let isRefusal: Bool
    let description: String
}

/// A mount point of an Icecast server, and how to log in.
struct ShoutMount {
    enum Form: String, CaseIterable {
        case mp3, opus
    }

    let form: Form
    fileprivate let host: HostAddress
    fileprivate let path: String
    fileprivate let user: String
    fileprivate let password: String

    /// - Parameter text: `HOST[:PORT]/PATH`.
    /// - Returns: nil if the text is not a mount point.
    init?(_ text: String, _ form: Form, user: String, password: String) {
        guard let slash = text.firstIndex(of: "/"), let host = HostAddress(String(text[..<slash]), defaultPort: 8000)
        else { return nil }
        self.host = host
        path = String(text[slash...])
        self.form = form
        self.user = user
        self.password = password
    }
}

/// A source of an Icecast server. One thread. Disconnects in `deinit`.
@safe final class ShoutStream {
    private static let library = {
        let library = unsafe shim_load_shout_functions()?.pointee
        library?.shout_init()
        return library
    }()
    private let shout: shout_functions
    private let handle: OpaquePointer

    init(_ mount: ShoutMount) throws(ShoutError) {
        guard let library = Self.library else {
            throw ShoutError(isRefusal: false, description: "libshout is missing; install podcastd-web")
        }
        shout = library
        guard let made = unsafe shout.shout_new() else {
            throw ShoutError(isRefusal: false, description: "out of memory")
        }
        unsafe handle = made
        let format = UInt32(mount.form == .mp3 ? SHOUT_FORMAT_MP3 : SHOUT_FORMAT_OGG)
        for code in unsafe [
            shout.shout_set_host(handle, mount.host.host), shout.shout_set_port(handle, mount.host.port),
            shout.shout_set_mount(handle, mount.path), shout.shout_set_user(handle, mount.user),
            shout.shout_set_password(handle, mount.password), shout.shout_set_agent(handle, "podcastd"),
            shout.shout_set_content_format(handle, format, SHOUT_USAGE_AUDIO, nil),
            shout.shout_set_meta(handle, "name", "podcastd"),
            shout.shout_set_nonblocking(handle, UInt32(SHOUT_BLOCKING_NONE)),
        ] { try check(code) }
    }

    deinit {
        _ = unsafe shout.shout_close(handle)
        _ = unsafe shout.shout_free(handle)
    }

    private func check(_ code: Int32) throws(ShoutError) {
        guard code != SHOUTERR_SUCCESS, code != SHOUTERR_BUSY, code != SHOUTERR_RETRY else { return }
        throw ShoutError(
            isRefusal: code == SHOUTERR_NOLOGIN, description: unsafe String(cString: shout.shout_get_error(handle)!))
    }

    /// Begins to connect. Waits only for the look-up of the host, for which the system has a limit.
    func connect() throws(ShoutError) { try check(unsafe shout.shout_open(handle)) }

    /// Continues to connect.
    var isConnected: Bool {
        get throws(ShoutError) {
            let code = unsafe shout.shout_get_connected(handle)
            if code != SHOUTERR_CONNECTED { try check(code) }
            return code == SHOUTERR_CONNECTED
        }
    }

    func send(_ bytes: [UInt8]) throws(ShoutError) {
        try check(unsafe shout.shout_send(handle, bytes, bytes.count))
    }

    /// Bytes that the server has not taken.
    var unsentBytes: Int { unsafe shout.shout_queuelen(handle) }

    /// Sets the title of a mount point of MP3, whose source is another connection. Waits for the server's answer as long as the server
    /// takes.
    static func sendTitle(_ title: String, to mount: ShoutMount) throws(ShoutError) {
        let stream = try ShoutStream(mount)
        guard let metadata = unsafe stream.shout.shout_metadata_new() else { return }
        defer { unsafe stream.shout.shout_metadata_free(metadata) }
        try stream.check(unsafe stream.shout.shout_metadata_add(metadata, "song", title))
        try stream.check(unsafe stream.shout.shout_set_metadata_utf8(stream.handle, metadata))
    }
}
