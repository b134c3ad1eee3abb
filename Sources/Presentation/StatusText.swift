public import CommandLineTool
public import ControlProtocol
internal import PodcastModel
public import Reporting

/// The status as text.
public enum StatusText {
    /// Columns of a title that is worth showing.
    private static let leastTitle = 6

    /// What is playing, in up to four lines.
    public static func lines(_ status: StatusReply, terminal: Terminal) -> [String] {
        let player = status.player
        func fitted(_ text: String) -> String {
            terminal.width.map { TextLayout.fitted(SafeText.line(text), width: $0) } ?? SafeText.line(text)
        }
        var lines: [String] = []
        if let episode = player.episode {
            lines.append(terminal.styled(fitted(title(episode)), .bold))
            if let title = player.feed?.title, !title.isEmpty { lines.append(fitted(title)) }
        }
        if let message = player.announcement {
            lines.append(terminal.styled(fitted("announcement: \(message)"), .bold))
        }
        lines += Self.rows(of: stateParts(status), width: terminal.width).map(fitted)
        if !player.processing.isEmpty { lines.append(fitted("sound: \(player.processing.joinedText(", "))")) }
        if let title = player.chapter?.chapter.title { lines.append(fitted("chapter: \(title)")) }
        if let next = player.upcoming.next { lines.append(fitted("next: \(Self.next(next))")) }
        if let context = player.upcoming.context { lines.append(fitted("plays: \(Self.context(context))")) }
        if let sleep = player.sleep { lines.append(fitted("sleep timer: \(Self.sleep(sleep))")) }
        lines += status.activities.map { fitted(activity($0)) }
        if let error = player.error {
            // Wrapped, because the message ends with the advice.
            let rows = TextLayout.wrapped(SafeText.line("error: \(error)"), width: terminal.width ?? .max)
            lines += rows.map { terminal.styled($0, .red) }
        }
        return lines
    }

    private static func title(_ episode: PlayerReply.PlayingEpisode) -> String {
        episode.title ?? "episode \(episode.id.label)"
    }

    private static func rows(of parts: [String], width: Int?) -> [String] {
        var rows: [String] = []
        for part in parts {
            if let last = rows.last, TextLayout.width(of: last) + 3 + TextLayout.width(of: part) <= width ?? .max {
                rows[rows.count - 1] = last + "   " + part
            } else {
                rows.append(part)
            }
        }
        return rows
    }

    private static func stateParts(_ status: StatusReply) -> [String] {
        let player = status.player
        var parts = [state(player)]
        if let time = time(player) { parts.append(time) }
        if player.speed != 1 {
            parts.append("speed \(speed(player))\(player.timeLeft.map { ", \($0) left" } ?? "")")
        }
        parts.append("volume \(player.volume) %\(player.feedVolume.map { ", feed \($0) %" } ?? "")")
        let queue = status.queue
        if queue.length > 0 {
            parts.append(queue.index.map { "queue \($0) of \(queue.length)" } ?? "\(queue.length) in queue")
        }
        return parts
    }

    /// `1.5`, `1.5 (the output plays at 1)`.
    private static func speed(_ player: PlayerReply) -> String {
        number(player.speed) + (player.heardSpeed.map { " (the output plays at \(number($0)))" } ?? "")
    }

    /// `playing`, `stopped (ended)`, `loading (no answer yet)`.
    public static func state(_ player: PlayerReply) -> String {
        // An error has its own line.
        guard let reason = player.reason, !reason.isEmpty, reason != player.error else { return player.state.rawValue }
        return "\(player.state.rawValue) (\(SafeText.line(reason)))"
    }

    /// For speech: loading and buffering count as playing until their seconds are counted; nil while the episode is looked up.
    public static func settled(_ player: PlayerReply) -> PlayerReply? {
        let reason = player.reason ?? ""
        guard [.loading, .buffering].contains(player.state), ChangeLines.uncounted(reason) == reason else {
            return player
        }
        if player.episode?.title == nil { return nil }
        var settled = player
        settled.state = .playing
        settled.reason = nil
        return settled
    }

    /// `12:34 / 1:02:03 (20 %)`; nil when there is no position.
    public static func time(_ player: PlayerReply) -> String? {
        guard let position = player.position, player.episode != nil || player.announcement != nil else { return nil }
        guard let duration = player.duration, duration > .zero else { return position.description }
        let percent = min(100, max(0, position.milliseconds * 100 / max(1, duration.milliseconds)))
        return "\(position) / \(duration) (\(percent) %)"
    }

    /// `12:34 / 1:02:03 (20 %)   Title · Feed`, after a seek; for speech `Title, from Feed, at 12:34 of 1:02:03`.
    public static func place(_ reply: PositionReply, isSpoken: Bool = false) -> String {
        guard let episode = reply.episode else {
            return reply.state == .stopped ? "finished; nothing is left in the queue" : reply.position.description
        }
        var player = PlayerReply()
        player.episode = reply.episode
        player.feed = reply.feed
        player.position = reply.position
        player.duration = reply.duration
        if isSpoken { return SafeText.line(spokenPlace(player).joinedText(", ")) }
        return [time(player) ?? "", SafeText.line(name(title(episode), player.feed?.title))].joinedText("   ")
    }

    /// The current episode and position, as parts of a sentence: `Title`, `from Feed`, `at 12:34 of 1:02:03`.
    public static func spokenPlace(_ player: PlayerReply) -> [String] {
        var parts = player.announcement.map { ["announcement: \($0)"] } ?? []
        if let episode = player.episode { parts.append(title(episode)) }
        if let feed = player.feed?.title, !feed.isEmpty { parts.append("from \(feed)") }
        if !parts.isEmpty, let position = player.position {
            let end = player.duration.map { $0 > .zero ? " of \($0)" : "" } ?? ""
            parts.append("at \(position)\(end)")
        }
        return parts
    }

    private static func next(_ next: NextReply) -> String {
        name(next.title ?? "episode \(next.id.label)", next.feed?.title)
    }

    /// `Feed, oldest first`.
    private static func context(_ context: PlayContextReply) -> String {
        "\(context.name), \(context.order == "oldest-first" ? "oldest" : "newest") first"
    }

    private static func name(_ title: String, _ feed: String?) -> String {
        feed.map { $0.isEmpty ? title : "\(title) · \($0)" } ?? title
    }

    /// `Buffering audio 40 %: Title`.
    public static func activity(_ activity: Activity) -> String {
        var text = SafeText.line(activity.message)
        if let progress = activity.progress { text += " \(Int(min(max(progress, 0), 1) * 100)) %" }
        if let subject = activity.subject, !subject.isEmpty { text += ": \(SafeText.line(subject))" }
        return text
    }

    /// `buffered: Title`, when an activity has ended.
    static func finished(_ activity: Activity) -> String {
        let what =
            switch activity.kind {
            case .loading: "loaded"
            case .buffering: "buffered"
            case .seeking: "seek finished"
            // An activity does not say whether it has failed.
            case .refreshing: "refresh ended"
            case .subscribing: "subscription ended"
            case .downloading: "download ended"
            case .backup: "backup ended"
            case .searching: "search ended"
            }
        // The subject of a refresh with progress is how far it was.
        if activity.kind == .refreshing, activity.progress != nil { return what }
        return what + (activity.subject.map { $0.isEmpty ? "" : ": \(SafeText.line($0))" } ?? "")
    }

    /// The status as one `name: value` per line, for scripts without JSON and for screen readers.
    public static func plain(_ status: StatusReply) -> [String] {
        let player = status.player
        var lines = ["state: \(state(player))"]
        func add(_ name: String, _ value: String?) {
            if let value, !value.isEmpty { lines.append("\(name): \(SafeText.line(value))") }
        }
        add("episode", player.episode?.title)
        add("feed", player.feed?.title)
        add("announcement", player.announcement)
        add("position", player.episode == nil ? nil : player.position?.description)
        add("duration", player.duration?.description)
        add("remaining", player.episode == nil ? nil : player.timeLeft?.description)
        add("speed", player.speed == 1 ? nil : speed(player))
        add("sound", player.processing.joinedText(", "))
        add("volume", "\(player.volume)")
        add("feed volume", player.feedVolume.map { "\($0)" })
        add("next", player.upcoming.next.map(next))
        add("plays", player.upcoming.context.map(context))
        add("sleep timer", player.sleep.map(Self.sleep))
        add("chapter", player.chapter?.chapter.title)
        add("queue", "\(status.queue.index.map { "\($0) of " } ?? "")\(status.queue.length)")
        add("queue left", player.queueRemaining.text)
        for activity in status.activities { add("activity", self.activity(activity)) }
        for output in status.outputs where output.isEnabled {
            add("output", output.name + (output.reason.map { ": \($0)" } ?? ""))
        }
        add("error", player.error)
        return lines
    }

    /// One line for `--follow`: `playing   Title · Feed   12:34 / 1:02:03 (20 %)   Buffering audio 40 %`; for speech
    /// `playing, Title, from Feed, at 12:34 of 1:02:03`. Within a width the title is shortened, so that the position is shown, too.
    public static func follow(
        _ player: PlayerReply, activities: [Activity], width: Int? = nil, isSpoken: Bool = false
    ) -> String {
        var parts = [state(player)]
        let time = isSpoken ? nil : time(player)
        if isSpoken {
            parts += spokenPlace(player)
        } else if let episode = player.episode {
            let name = SafeText.line(name(title(episode), player.feed?.title))
            let room = width.map { $0 - parts[0].utf8.count - (time?.utf8.count ?? 0) - 6 }
            if (room ?? .max) >= leastTitle { parts.append(room.map { TextLayout.fitted(name, width: $0) } ?? name) }
        }
        if !isSpoken, let message = player.announcement { parts.append("announcement: \(message)") }
        if let time { parts.append(time) }
        parts += activities.map(activity)
        if let error = player.error { parts.append("error: \(error)") }
        return parts.map(SafeText.line).joinedText(isSpoken ? ", " : "   ")
    }

    /// Up to two digits after the point, without trailing zeros.
    public static func number(_ value: Double) -> String {
        PlaybackSpeed.text(hundredths: Int((min(max(value, 0), 1e6) * 100).rounded()))
    }

    /// `29:30 left`, `until 23:30 (1:15:00 left)`, `at the end of the episode`, `after 3 episodes`, `fading out`.
    public static func sleep(_ sleep: SleepTimerReply) -> String {
        if sleep.isFading { return "fading out" }
        switch sleep.end {
        case .time:
            // Just after it was set to half an hour, 30:00 are left, not 29:59.
            let seconds = ((sleep.remaining ?? .zero).seconds - 0.01).rounded(.up)
            let left = "\(MediaTime(seconds: max(0, seconds))) left"
            return sleep.until.map { "until \(ShownTime.timeOfDay($0)) (\(left))" } ?? left
        case .chapter: return "at the end of the chapter"
        case .episode:
            let count = sleep.episodes ?? 1
            return count > 1 ? "after \(count) episodes" : "at the end of the episode"
        }
    }
}
