internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

extension MPRISInterface {
    static let root = MPRISInterface(
        name: "org.mpris.MediaPlayer2",
        properties: [
            Property("CanQuit", "b") { _, _ in .bool(false) },
            Property("CanRaise", "b") { _, _ in .bool(false) },
            Property("HasTrackList", "b") { _, _ in .bool(true) },
            Property("Identity", "s") { _, _ in .string("podcastd") },
            Property("DesktopEntry", "s") { _, _ in .string("podcastd") },
            Property("SupportedUriSchemes", "as") { _, _ in .strings(["http", "https", "file"]) },
            Property("SupportedMimeTypes", "as") { _, _ in .strings(mimeTypes) },
        ],
        methods: [Member("Raise"), Member("Quit")])

    private static let mimeTypes = [
        "audio/mpeg", "audio/mp4", "audio/x-m4a", "audio/aac", "audio/ogg", "audio/opus", "audio/flac", "audio/wav",
        "application/rss+xml", "application/atom+xml",
    ]

    static let player = MPRISInterface(
        name: "org.mpris.MediaPlayer2.Player",
        properties: [
            Property("PlaybackStatus", "s") { state, _ in .string(state.status.rawValue) },
            Property("LoopStatus", "s", isWritable: true) { _, _ in .string("None") },
            Property("Rate", "d", isWritable: true) { state, _ in .double(state.rate) },
            Property("Shuffle", "b", isWritable: true) { _, _ in .bool(false) },
            Property("Metadata", "a{sv}") { state, _ in .dictionary(MPRISTrack.metadata(state)) },
            Property("Volume", "d", isWritable: true) { state, _ in .double(Double(state.player.volume) / 100) },
            Property("Position", "x", .none) { state, now in
                .int64((state.position(at: now) ?? .zero).nanoseconds / 1000)
            },
            Property("MinimumRate", "d") { _, _ in .double(0.5) },
            Property("MaximumRate", "d") { _, _ in .double(4) },
            Property("CanGoNext", "b") { state, _ in .bool(state.canGoNext) },
            Property("CanGoPrevious", "b") { state, _ in .bool(state.canGoPrevious) },
            Property("CanPlay", "b") { state, _ in .bool(state.canPlay) },
            Property("CanPause", "b") { state, _ in .bool(state.canPause) },
            Property("CanSeek", "b") { state, _ in .bool(state.canSeek) },
            // The specification does not let it change; the errors of calls report that a connection may only read.
            Property("CanControl", "b", .none) { _, _ in .bool(true) },
        ],
        methods: [
            Member("Next"), Member("Previous"), Member("Pause"), Member("PlayPause"), Member("Stop"), Member("Play"),
            Member("Seek", [("Offset", "x")]), Member("SetPosition", [("TrackId", "o"), ("Position", "x")]),
            Member("OpenUri", [("Uri", "s")]),
        ],
        signals: [Member("Seeked", [("Position", "x")])])

    static let trackList = MPRISInterface(
        name: "org.mpris.MediaPlayer2.TrackList",
        properties: [
            Property("Tracks", "ao", .invalidation) { state, _ in .paths(state.tracks.map { MPRISTrack.path($0.id) }) },
            Property("CanEditTracks", "b") { state, _ in .bool(state.canControl) },
        ],
        methods: [
            Member("GetTracksMetadata", [("TrackIds", "ao")], returns: [("Metadata", "aa{sv}")]),
            Member("AddTrack", [("Uri", "s"), ("AfterTrack", "o"), ("SetAsCurrent", "b")]),
            Member("RemoveTrack", [("TrackId", "o")]), Member("GoTo", [("TrackId", "o")]),
        ],
        signals: [
            Member("TrackListReplaced", [("Tracks", "ao"), ("CurrentTrack", "o")]),
            Member("TrackAdded", [("Metadata", "a{sv}"), ("AfterTrack", "o")]),
            Member("TrackRemoved", [("TrackId", "o")]),
            Member("TrackMetadataChanged", [("TrackId", "o"), ("Metadata", "a{sv}")]),
        ])
}
