internal import HTTP
internal import PodcastModel
internal import SystemCalls

/// What a renderer says of itself (UPnP Device Architecture 1.0, section 2).
struct UPnPDescription: Equatable {
    struct Service: Equatable {
        var type: String
        var control: String
        var events: String?
    }

    var name: String
    /// Unique device name.
    var udn: String
    var transport: Service
    var rendering: Service
    /// The identifier of the speaker that plays for this one too, of Sonos; nil for a speaker that plays by itself.
    var coordinator: String?
    /// The numeric address of the renderer, and that of this machine that the renderer can reach.
    var address: String
    var local: String

    /// - Returns: nil for other devices, and for one whose services are on another host.
    init?(_ document: [UInt8], at location: String, local: String) {
        guard let host = HTTPURL.host(of: location) else { return nil }
        var (name, room, udn, type): (String?, String?, String?, String?)
        var found: [String: Service] = [:]
        // Names of a device come before its services, and the type of a service before its URLs.
        for (element, text) in XMLLeaves(document).leaves {
            switch element {
            case "friendlyName": name = text
            case "UDN": udn = text
            case "roomName": room = text
            case "serviceType": type = text
            case "controlURL", "eventSubURL":
                guard let type, let url = HTTPURL.resolved(text, against: location), HTTPURL.host(of: url) == host
                else { continue }
                if element == "controlURL" {
                    found[type] = Service(type: type, control: url, events: found[type]?.events)
                } else {
                    found[type, default: Service(type: type, control: "")].events = url
                }
            default: break
            }
        }
        func service(_ name: String) -> Service? {
            found.values.first { $0.type.hasPrefix("urn:schemas-upnp-org:service:\(name):") && !$0.control.isEmpty }
        }
        guard let udn, let transport = service("AVTransport"), let rendering = service("RenderingControl") else {
            return nil
        }
        // Of Sonos.
        self.name = (room ?? name).flatMap { SafeText.title($0, atMostBytes: 100) } ?? udn
        self.udn = udn
        self.transport = transport
        self.rendering = rendering
        address = host
        self.local = local
    }

    func matches(_ wanted: String) -> Bool { [name, udn].contains { $0.lowercased() == wanted.lowercased() } }

    /// Sonos speakers have one, `uuid:RINCON_…_MR`; a group plays what one of its speakers, the coordinator, is told to play.
    var isGrouping: Bool { udn.hasPrefix("uuid:RINCON_") }
}

/// One search for renderers on every interface: SSDP (UPnP Device Architecture 1.0, section 1.2), then their descriptions.
final class UPnPSearch {
    private static let (group, port): (String, UInt16) = ("239.255.255.250", 1900)
    private static let target = "urn:schemas-upnp-org:device:MediaRenderer:1"
    private static let (mostInterfaces, mostDevices, longestAnswer) = (8, 64, 2048)

    private let requests: DeviceRequests
    private let sockets: [MulticastSocket]
    private var locations: Set<String> = []
    private(set) var found: [UPnPDescription] = []
    /// Devices may answer until then.
    let end = Instant.now + .seconds(3)

    init(_ requests: DeviceRequests) {
        self.requests = requests
        let addresses = ((try? NetworkInterfaces.addresses()) ?? []).filter { $0.count == 4 && $0[0] != 127 }
        sockets = addresses.prefix(Self.mostInterfaces).compactMap { try? MulticastSocket(interface: $0) }
        // Twice, because datagrams may be lost.
        for _ in 0..<2 {
            for socket in sockets { try? socket.send(Self.query, to: Self.group, port: Self.port) }
        }
    }

    private static var query: String {
        [
            "M-SEARCH * HTTP/1.1", "HOST: \(group):\(port)", "MAN: \"ssdp:discover\"", "MX: 2", "ST: \(target)", "", "",
        ].joined(separator: "\r\n")
    }

    var waits: [PollEntry] { sockets.map { PollEntry($0.descriptor) } }

    func process() {
        for socket in sockets {
            while let (bytes, sender) = socket.receive(upTo: Self.longestAnswer) {
                guard locations.count < Self.mostDevices, let location = Self.location(in: bytes, from: sender),
                    locations.insert(location).inserted
                else { continue }
                let local = socket.local
                requests.send("GET", location) { [weak self] answer in
                    guard let self, let answer, answer.status == 200,
                        let device = UPnPDescription(answer.body, at: location, local: local),
                        !found.contains(where: { $0.udn == device.udn })
                    else { return }
                    add(device)
                }
            }
        }
    }

    /// A speaker that follows another one says so by the URL of what it plays.
    func add(_ device: UPnPDescription) {
        guard device.isGrouping else { return found.append(device) }
        let following = "x-rincon:"
        requests.send(UPnPMessages.request(.getPosition, to: device)) { [weak self] answer in
            var device = device
            let position = UPnPMessages.answer(answer, to: .getPosition)
            if case .position(_, let url?) = position, url.hasPrefix(following) {
                device.coordinator = String(url.dropFirst(following.count))
            }
            self?.found.append(device)
        }
    }

    /// The renderer of a name or UDN, as soon as it was found. The transport of a speaker that follows another one is that of its
    /// coordinator, while each speaker has its own volume.
    func renderer(_ name: String) -> UPnPDescription? {
        guard var device = found.first(where: { $0.matches(name) }) else { return nil }
        guard let coordinator = device.coordinator else { return device }
        guard let leader = found.first(where: { $0.udn == "uuid:\(coordinator)_MR" }) else { return nil }
        device.transport = leader.transport
        device.address = leader.address
        return device
    }

    /// The URL of a description in an answer; nil if the answer names another host than its sender.
    static func location(in answer: [UInt8], from sender: String) -> String? {
        let lines = String(decoding: answer, as: UTF8.self).split(whereSeparator: \.isNewline)
        guard lines.first?.hasPrefix("HTTP/1.1 200") == true,
            let line = lines.first(where: { $0.lowercased().hasPrefix("location:") }),
            let url = SafeText.title(String(line.dropFirst("location:".count)))
        else { return nil }
        return WebAddress.hasScheme("http", url) && HTTPURL.host(of: url) == sender ? url : nil
    }
}
