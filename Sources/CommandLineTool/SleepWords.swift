public import PodcastModel
internal import SystemCalls

extension SleepRequest {
    /// Parses a user's text; times of day are in the process's time zone.
    public static func said(_ text: String, episodes: Int? = nil) -> SleepRequest? {
        SleepRequest(
            parsing: text, episodes: episodes, at: .now, offset: { LocalZone.offset(atSeconds: $0.seconds) })
    }

    /// The text for the daemon, whose time zone may differ.
    public static func sent(_ text: String) -> String {
        guard case .until(let time)? = said(text) else { return text }
        return time.description
    }
}
