internal import GatewayKit
internal import HTTPServing
internal import PodcastModel
internal import SystemCalls

/// What browsers, radios and phones play at /stream.mp3 and /stream.opus: encoded once for all listeners of a form, in a
/// sandboxed process, only while somebody listens. One thread.
final class SoundStreams {
    enum Form: String, CaseIterable {
        case mp3
        case opus

        var mediaType: String {
            switch self {
            case .mp3: "audio/mpeg"
            case .opus: "audio/ogg; codecs=opus"
            }
        }
    }

    private struct Listener {
        let stream: HTTPStream
        /// Nil for a listener that wants no titles between the sound.
        var titles: ICYTitles?
        /// Whether the listener has the beginning that each listener needs.
        var hasBegun = false
    }

    private final class Encoder {
        let sound: EncodedSound
        var pages = OggPages()
        var listeners: [Listener] = []

        init(_ sound: EncodedSound) { self.sound = sound }
    }

    /// A listener that has not read this many bytes, 16 s of MP3, is disconnected.
    private static let mostUnread = 256 << 10

    /// The socket of podcastd's output `http`.
    private let source: String
    private var encoders: [Form: Encoder] = [:]
    /// The title of the current episode, for listeners that show it.
    var title = ""

    init(source: String) { self.source = source }

    var waits: [PollEntry] { encoders.values.map { PollEntry($0.sound.output.raw) } }

    /// Adds a listener.
    /// - Parameter station: what the listener shows as the station.
    /// - Throws: 503 if podcastd has no output `http` that plays, or no encoder can be started.
    func open(_ form: Form, _ exchange: HTTPExchange, station: String) throws(WebProblem) {
        let encoder = if let known = encoders[form] { known } else { try start(form) }
        encoders[form] = encoder
        let wantsTitles = form == .mp3 && exchange.request.header("Icy-MetaData") == "1"
        var headers = [
            HTTPField("Content-Type", form.mediaType), HTTPField("Cache-Control", "no-store"),
            HTTPField("X-Content-Type-Options", "nosniff"), HTTPField("icy-name", station),
            .unbuffered,
        ]
        if wantsTitles { headers.append(HTTPField("icy-metaint", "\(ICYTitles.interval)")) }
        encoder.listeners.append(
            Listener(stream: exchange.stream(200, headers: headers), titles: wantsTitles ? ICYTitles() : nil))
    }

    private func start(_ form: Form) throws(WebProblem) -> Encoder {
        let sound: FileDescriptor
        do throws(SystemError) {
            sound = try LocalSocket.connect(to: source)
        } catch {
            throw .unreachable("podcastd has no output for listeners; add one: podcastctl output add web http")
        }
        do throws(SystemError) {
            return Encoder(try EncodedSound(form.rawValue, from: sound.raw))
        } catch {
            throw .unreachable("the encoder cannot be started: \(error)")
        }
    }

    /// Passes on what the encoders wrote.
    func process() {
        for (form, encoder) in encoders {
            encoder.listeners.removeAll { $0.stream.isFinished }
            let hasEnded = read(encoder, form)
            guard hasEnded || encoder.listeners.isEmpty else { continue }
            for listener in encoder.listeners { listener.stream.end() }
            encoders[form] = nil
        }
    }

    /// - Returns: whether the encoder has ended.
    private func read(_ encoder: Encoder, _ form: Form) -> Bool {
        guard waitForDescriptors(readable: encoder.sound.output.raw, until: .now) else { return false }
        guard let bytes = try? encoder.sound.output.readSome(upTo: 64 << 10), !bytes.isEmpty else { return true }
        for piece in form == .opus ? encoder.pages.append(bytes) : [bytes] {
            for index in encoder.listeners.indices {
                send(piece, to: &encoder.listeners[index], encoder.pages.beginning)
            }
        }
        return false
    }

    private func send(_ bytes: [UInt8], to listener: inout Listener, _ beginning: [UInt8]) {
        let sound = listener.hasBegun ? bytes : beginning + bytes
        listener.hasBegun = true
        if listener.stream.unreadBytes + sound.count > Self.mostUnread { return listener.stream.end() }
        listener.stream.send(listener.titles?.insert(title, into: sound) ?? sound)
    }
}

/// Titles between the bytes of a stream, as SHOUTcast's players expect them: after each `interval` bytes a length in units of
/// 16 bytes, and `StreamTitle='…';` if the title is another one.
struct ICYTitles {
    static let interval = 16_000
    private var left = Self.interval
    private var told: String?

    mutating func insert(_ title: String, into bytes: [UInt8]) -> [UInt8] {
        var (output, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
        while rest.count >= left {
            output += rest.prefix(left)
            rest = rest.dropFirst(left)
            left = Self.interval
            output += block(title)
        }
        left -= rest.count
        return output + rest
    }

    private mutating func block(_ title: String) -> [UInt8] {
        if title == told { return [0] }
        told = title
        // A quote would end the title.
        var text = Array("StreamTitle='\(title.replacing("'", with: "\u{2019}").prefix(200))';".utf8)
        let units = (text.count + 15) / 16
        text += [UInt8](repeating: 0, count: units * 16 - text.count)
        return [UInt8(units)] + text
    }
}

/// The pages of an Ogg stream (RFC 3533, section 6). The first two of Opus are what each listener needs first (RFC 7845, section 3).
struct OggPages {
    private var rest: [UInt8] = []
    private var headerPages = 0
    /// The pages that each listener needs first.
    private(set) var beginning: [UInt8] = []

    /// - Returns: the complete pages of sound.
    mutating func append(_ bytes: [UInt8]) -> [[UInt8]] {
        rest += bytes
        var pages: [[UInt8]] = []
        while rest.count >= 27, rest.count >= 27 + Int(rest[26]) {
            let segments = Int(rest[26])
            let size = rest[27..<27 + segments].reduce(27 + segments) { $0 + Int($1) }
            guard rest.count >= size else { break }
            let page = Array(rest[..<size])
            rest.removeFirst(size)
            if headerPages < 2 {
                headerPages += 1
                beginning += page
            } else {
                pages.append(page)
            }
        }
        return pages
    }
}
