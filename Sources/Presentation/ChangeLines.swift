public import ControlProtocol
internal import PodcastModel
public import Reporting

/// One line for each change since the last call.
public struct ChangeLines {
    private var player = ""
    /// Speed and volume; nil before the first line.
    private var sound: [String]?
    private var activities: [UInt64: Activity] = [:]

    private let isSpoken: Bool
    /// Lines of the last answer, which a sentence for speech does not repeat.
    public var answer: [String] = []

    /// - Parameter isSpoken: whether the lines are sentences for speech.
    public init(isSpoken: Bool = false) { self.isSpoken = isSpoken }

    /// The player if something other than its position has changed, speed and volume if they have, each activity if its text has,
    /// and the ends of activities. A sentence for speech follows the answer to a command, which names the speed and the volume;
    /// without progress it leaves out short waits.
    public mutating func lines(_ player: PlayerReply, _ activities: [Activity], withProgress: Bool = true) -> [String] {
        var lines: [String] = []
        let isBrief = isSpoken && !withProgress
        if let shown = isBrief ? StatusText.settled(player) : player {
            var still = shown
            still.position = nil
            let text = Self.uncounted(StatusText.follow(still, activities: []))
            if text != self.player {
                self.player = text
                let sentence = StatusText.follow(still, activities: [], isSpoken: true)
                if !answer.contains(where: { $0.hasPrefix(sentence) }) {
                    lines.append(StatusText.follow(shown, activities: [], isSpoken: isSpoken))
                }
                answer = []
            }
        }
        let sound = ["speed \(StatusText.number(player.speed))", "volume \(player.volume) %"]
        if let before = self.sound, !isSpoken { lines += sound.filter { !before.contains($0) } }
        self.sound = sound
        for activity in activities where !isBrief || [.downloading, .backup].contains(activity.kind) {
            let last = self.activities.updateValue(activity, forKey: activity.id)
            if !isBrief, last.map({ Self.text($0, withProgress) }) != Self.text(activity, withProgress) {
                lines.append(StatusText.activity(activity))
            }
        }
        for (id, activity) in self.activities where !activities.contains(where: { $0.id == id }) {
            self.activities[id] = nil
            lines.append(StatusText.finished(activity))
        }
        return lines
    }

    /// Reports the player again at the next call, changed or not.
    public mutating func forgetPlayer() { player = "" }

    private static func text(_ activity: Activity, _ withProgress: Bool) -> String {
        var activity = activity
        if !withProgress { activity.progress = nil }
        return uncounted(StatusText.activity(activity))
    }

    /// A text without the numbers of seconds that it counts, as in `no answer from host for 3 s`.
    static func uncounted(_ text: String) -> String {
        var kept: [Substring] = []
        for word in text.split(separator: " ") {
            let isUnit = word == "s" || word.hasPrefix("s;") || word.hasPrefix("s)")
            if isUnit, let number = kept.last, Int(number) != nil { kept.removeLast() }
            kept.append(word)
        }
        return kept.map(String.init).joinedText(" ")
    }
}
