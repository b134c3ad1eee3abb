/// Time spent listening, to an episode or a feed.
public struct ListeningTime: Equatable, Sendable {
    public var heard = Duration.zero
    /// Additional time at normal speed.
    public var savedBySpeed = Duration.zero
    /// Additional time without skipped silence.
    public var savedBySilence = Duration.zero

    public init(heard: Duration = .zero, savedBySpeed: Duration = .zero, savedBySilence: Duration = .zero) {
        self.heard = heard
        self.savedBySpeed = savedBySpeed
        self.savedBySilence = savedBySilence
    }

    public static func += (sum: inout ListeningTime, more: ListeningTime) {
        sum.heard += more.heard
        sum.savedBySpeed += more.savedBySpeed
        sum.savedBySilence += more.savedBySilence
    }
}
