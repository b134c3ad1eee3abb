internal import PodcastModel
internal import XMLEvents

/// The texts of UPnP: UPnP Device Architecture 1.0, AVTransport:1, RenderingControl:1, ContentDirectory:1.
enum UPnPMessages {
    /// DLNA: byte ranges are served, and the file is streamed.
    static let features = "DLNA.ORG_OP=01;DLNA.ORG_FLAGS=01700000000000000000000000000000"

    static func action(_ name: String, of service: String, _ arguments: KeyValuePairs<String, String>) -> String {
        let fields = arguments.map { "<\($0)>\(escaped($1))</\($0)>" }.joined()
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
            + "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" "
            + "s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><s:Body><u:\(name) xmlns:u=\"\(service)\">"
            + "<InstanceID>0</InstanceID>\(fields)</u:\(name)></s:Body></s:Envelope>"
    }

    typealias Request = (
        service: UPnPDescription.Service, action: String, arguments: KeyValuePairs<String, String>
    )

    static func request(_ call: RendererMachine.Call, to device: UPnPDescription) -> Request {
        let (transport, rendering) = (device.transport, device.rendering)
        switch call {
        case .setFile(let item):
            return (transport, "SetAVTransportURI", ["CurrentURI": item.url, "CurrentURIMetaData": metadata(item)])
        case .begin, .order(.play): return (transport, "Play", ["Speed": "1"])
        case .order(.pause): return (transport, "Pause", [:])
        case .order(.stop): return (transport, "Stop", [:])
        case .order(.seek(let position)): return (transport, "Seek", ["Unit": "REL_TIME", "Target": time(position)])
        case .getState: return (transport, "GetTransportInfo", [:])
        case .getPosition: return (transport, "GetPositionInfo", [:])
        case .order(.setVolume(let percent)):
            return (rendering, "SetVolume", ["Channel": "Master", "DesiredVolume": String(percent)])
        case .getVolume: return (rendering, "GetVolume", ["Channel": "Master"])
        }
    }

    static func answer(_ answer: DeviceRequests.Answer?, to call: RendererMachine.Call) -> RendererMachine.Answer {
        guard let answer else { return .missing }
        let leaves = XMLLeaves(answer.body)
        guard answer.status == 200 else {
            return .refused(leaves["errorDescription"] ?? "the renderer answered with HTTP \(answer.status)")
        }
        switch call {
        case .getState: return leaves["CurrentTransportState"].map { .state(state($0)) } ?? .done
        case .getPosition: return .position(leaves["RelTime"].flatMap { time($0) }, url: leaves["TrackURI"])
        case .getVolume: return leaves["CurrentVolume"].flatMap { Int($0) }.map { .volume($0) } ?? .done
        case .setFile, .begin, .order: return .done
        }
    }

    private static func state(_ text: String) -> RemoteReport.State {
        switch text {
        case "PLAYING": .playing
        case "PAUSED_PLAYBACK": .paused
        case "TRANSITIONING": .loading
        case _: .stopped
        }
    }

    /// The description of a file, DIDL-Lite.
    static func metadata(_ item: RemoteItem) -> String {
        func element(_ name: String, _ value: String?) -> String {
            value.map { "<\(name)>\(escaped($0))</\(name)>" } ?? ""
        }
        let length = item.length.map { " size=\"\($0)\"" } ?? ""
        let duration = item.duration.map { " duration=\"\(time($0)).000\"" } ?? ""
        return "<DIDL-Lite xmlns=\"urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/\" "
            + "xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:upnp=\"urn:schemas-upnp-org:metadata-1-0/upnp/\">"
            + "<item id=\"1\" parentID=\"0\" restricted=\"1\">" + element("dc:title", item.title)
            + element("dc:creator", item.show) + element("upnp:artist", item.show) + element("upnp:album", item.show)
            + element("upnp:albumArtURI", item.cover) + "<upnp:class>object.item.audioItem.musicTrack</upnp:class>"
            + "<res protocolInfo=\"http-get:*:\(escaped(item.type)):\(features)\"\(length)\(duration)>"
            + "\(escaped(item.url))</res></item></DIDL-Lite>"
    }

    static func escaped(_ text: String) -> String { SafeText.line(text).escapedForMarkup }

    /// `H:MM:SS`.
    static func time(_ time: MediaTime) -> String {
        let seconds = max(0, time.milliseconds / 1000)
        func padded(_ number: Int64) -> Substring { String(100 + number % 60).dropFirst() }
        return "\(seconds / 3600):\(padded(seconds / 60)):\(padded(seconds))"
    }

    /// `H:MM:SS` with a fraction or without; nil for anything else, such as `NOT_IMPLEMENTED`.
    static func time(_ text: String) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = UInt16(parts[0]), let minutes = UInt8(parts[1]),
            let seconds = Double(parts[2]), (0..<60).contains(seconds), minutes < 60
        else { return nil }
        return MediaTime(seconds: Double(hours) * 3600 + Double(minutes) * 60 + seconds)
    }
}

/// The texts of the elements without children in a small document, in order.
final class XMLLeaves: XMLEventHandler {
    /// By local name.
    private(set) var leaves: [(name: String, text: String)] = []
    private var text: [UInt8]?

    /// - Parameter document: limited by the caller. What comes after a fault is missing.
    init(_ document: [UInt8]) {
        guard let parser = try? XMLPushParser(handler: self) else { return }
        unsafe document.withUnsafeBytes { unsafe try? parser.parse($0) }
        try? parser.finish()
    }

    /// The first one with a name.
    subscript(name: String) -> String? { leaves.first { $0.name == name }?.text }

    func startElement(_ name: XMLElementName, attributes: XMLAttributes) { text = [] }

    func characters(_ text: UnsafeRawBufferPointer) { unsafe self.text?.append(contentsOf: text) }

    func endElement(_ name: XMLElementName) {
        if let text { leaves.append((name.localName, SafeText.line(String(decoding: text, as: UTF8.self)))) }
        text = nil
    }
}
