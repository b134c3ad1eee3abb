internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

/// An interface of the player's object, as it is declared in the specification.
struct MPRISInterface {
    struct Property {
        let name: String
        let isWritable: Bool
        let isReported: Bool
        let value: @Sendable (MPRISState) -> BusValue

        init(
            _ name: String, isWritable: Bool = false, isReported: Bool = true,
            _ value: @escaping @Sendable (MPRISState) -> BusValue
        ) {
            self.name = name
            self.value = value
            self.isWritable = isWritable
            self.isReported = isReported
        }

        var signature: String { value(MPRISState()).signature }
    }

    /// A method or a signal.
    struct Member {
        typealias Arguments = [(name: String, type: String)]

        let name: String
        let arguments: Arguments
        let results: Arguments

        /// - Parameter arguments: names and types, as in `Offset:x`, separated by spaces.
        init(_ name: String, _ arguments: String = "", returns results: String = "") {
            self.name = name
            self.arguments = Self.list(arguments)
            self.results = Self.list(results)
        }

        private static func list(_ arguments: String) -> Arguments {
            arguments.split(separator: " ").map { argument in
                let parts = argument.split(separator: ":").map(String.init)
                return (parts[0], parts[1])
            }
        }

        var signature: [String] { arguments.map(\.type) }
    }

    let name: String
    var properties: [Property] = []
    var methods: [Member] = []
    var signals: [Member] = []

    static let all = [root, player]
    static let introspectable = MPRISInterface(
        name: "org.freedesktop.DBus.Introspectable", methods: [Member("Introspect", returns: "xml_data:s")])
    static let propertyAccess = MPRISInterface(
        name: "org.freedesktop.DBus.Properties",
        methods: [
            Member("Get", "interface_name:s property_name:s", returns: "value:v"),
            Member("GetAll", "interface_name:s", returns: "properties:a{sv}"),
            Member("Set", "interface_name:s property_name:s value:v"),
        ],
        signals: [
            Member(
                "PropertiesChanged",
                "interface_name:s changed_properties:a{sv} invalidated_properties:as")
        ])

    static let introspection: String = {
        var text = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN" \
            "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        for interface in [introspectable, propertyAccess] + all { text += interface.xml }
        return text + "</node>\n"
    }()

    private var xml: String {
        var text = " <interface name=\"\(name)\">\n"
        for property in properties {
            let access = property.isWritable ? "readwrite" : "read"
            text += "  <property name=\"\(property.name)\" type=\"\(property.signature)\" access=\"\(access)\""
            text += property.isReported ? "/>\n" : ">\n\(Self.notReported)  </property>\n"
        }
        for method in methods {
            text += "  <method name=\"\(method.name)\">\n"
            text += Self.xml(method.arguments, " direction=\"in\"") + Self.xml(method.results, " direction=\"out\"")
            text += "  </method>\n"
        }
        for signal in signals {
            text += "  <signal name=\"\(signal.name)\">\n" + Self.xml(signal.arguments, "") + "  </signal>\n"
        }
        return text + " </interface>\n"
    }

    private static let notReported =
        "   <annotation name=\"org.freedesktop.DBus.Property.EmitsChangedSignal\" value=\"false\"/>\n"

    private static func xml(_ arguments: Member.Arguments, _ direction: String) -> String {
        arguments.map { "   <arg name=\"\($0.name)\" type=\"\($0.type)\"\(direction)/>\n" }.joined()
    }

    static let root = MPRISInterface(
        name: "org.mpris.MediaPlayer2",
        properties: [
            Property("CanQuit") { _ in .bool(false) },
            Property("CanRaise") { _ in .bool(false) },
            Property("HasTrackList") { _ in .bool(false) },
            Property("Identity") { _ in .string("podcastd") },
            Property("DesktopEntry") { _ in .string("podcastd") },
            Property("SupportedUriSchemes") { _ in .strings(["http", "https", "file"]) },
            Property("SupportedMimeTypes") { _ in .strings(mimeTypes) },
        ],
        methods: [Member("Raise"), Member("Quit")])

    private static let mimeTypes = [
        "audio/mpeg", "audio/mp4", "audio/x-m4a", "audio/aac", "audio/ogg", "audio/opus", "audio/flac", "audio/wav",
        "application/rss+xml", "application/atom+xml",
    ]

    static let player = MPRISInterface(
        name: "org.mpris.MediaPlayer2.Player",
        properties: [
            Property("PlaybackStatus") { .string($0.status.rawValue) },
            Property("LoopStatus", isWritable: true) { _ in .string("None") },
            Property("Rate", isWritable: true) { .double($0.rate) },
            Property("Shuffle", isWritable: true) { _ in .bool(false) },
            Property("Metadata") { .dictionary(MPRISTrack.metadata($0)) },
            Property("Volume", isWritable: true) { .double(Double($0.player.volume) / 100) },
            Property("Position", isReported: false) { .int64(($0.player.position ?? .zero).nanoseconds / 1000) },
            Property("MinimumRate") { _ in .double(0.5) },
            Property("MaximumRate") { _ in .double(4) },
            Property("CanGoNext") { .bool($0.canGoNext) },
            Property("CanGoPrevious") { .bool($0.canGoPrevious) },
            Property("CanPlay") { .bool($0.canPlay) },
            Property("CanPause") { .bool($0.canPause) },
            Property("CanSeek") { .bool($0.canSeek) },
            // The specification does not let it change; the errors of calls report that a connection may only read.
            Property("CanControl", isReported: false) { _ in .bool(true) },
        ],
        methods: [
            Member("Next"), Member("Previous"), Member("Pause"), Member("PlayPause"), Member("Stop"), Member("Play"),
            Member("Seek", "Offset:x"), Member("SetPosition", "TrackId:o Position:x"),
            Member("OpenUri", "Uri:s"),
        ],
        signals: [Member("Seeked", "Position:x")])
}
