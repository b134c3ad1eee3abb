public import PodcastModel
internal import SystemCalls

extension SleepRequest {
    /// Parses what a user writes, whose times of day are in the zone of the process.
    public static func said(_ text: String, episodes: Int? = nil) -> SleepRequest? {
        SleepRequest(
            parsing: text, episodes: episodes, at: .now, offset: { LocalZone.offset(atSeconds: $0.seconds) })
    }

    /// The text for the daemon, whose time zone may be another one.
    public static func sent(_ text: String) -> String {
        guard case .until(let time)? = said(text) else { return text }
        return time.description
    }
}
