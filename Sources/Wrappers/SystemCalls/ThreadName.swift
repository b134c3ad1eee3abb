/// Every thread of the programs besides main: one case for each name in the table of docs/ARCHITECTURE.md, which
/// describes them. The raw value is the name in `top -H`; Linux keeps 15 bytes.
public enum ThreadName: String, CaseIterable, Sendable {
    case control, library, decisions, refresh, search, texts, pictures, transfer, downloads, settings, session, backup,
        cache,
        opening,
        http, decoder, doctor
    case libraryReads = "library reads"
    case httpWatch = "http watch"
    case sound
    case soundEvents = "sound events"
    case timers
    /// Checks of passwords, in gateways.
    case logins
    /// A thread that a test starts.
    case test

    /// Bytes of stack, a multiple of the page size: large for jobs of any kind, small for loops of known depth.
    var stackSize: Int {
        switch self {
        case .httpWatch: 128 << 10
        case .sound, .soundEvents: 256 << 10
        case .control, .http: 512 << 10
        case .session, .logins, .decoder, .doctor, .test: 1 << 20
        case .library, .libraryReads, .decisions, .refresh, .search, .texts, .pictures, .transfer, .downloads,
            .settings, .backup,
            .cache, .opening, .timers:
            8 << 20
        }
    }
}
