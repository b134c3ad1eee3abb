public import PodcastModel

/// The setting `library.backup_every`.
public enum BackupInterval: String, Sendable {
    case off, daily, weekly, monthly

    /// `weekly` for any other value.
    public init(setting: String) { self = BackupInterval(rawValue: setting) ?? .weekly }

    /// Nil for `off`.
    public var seconds: Int64? {
        switch self {
        case .off: nil
        case .daily: 86_400
        case .weekly: 7 * 86_400
        case .monthly: 30 * 86_400
        }
    }

    /// When the next backup is due; nil for never.
    /// - Parameter subscribed: the time of the first subscription; nil if there is nothing to back up.
    public func due(after last: Timestamp?, subscribed: Timestamp?) -> Timestamp? {
        guard let seconds, let start = last ?? subscribed else { return nil }
        return start.adding(seconds: seconds)
    }
}
