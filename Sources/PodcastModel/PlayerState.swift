/// What the player does.
public enum PlayerState: String, Sendable, CaseIterable {
    case stopped
    /// The episode is being opened.
    case loading
    /// Audio comes too slowly.
    case buffering
    case playing
    case paused
}

/// An output, which plays if it is enabled.
public struct OutputState: Equatable, Sendable {
    public var name = ""
    /// The value of the setting `output.sink`, such as `alsa:default`.
    public var specification = ""
    public var isEnabled = false

    public init() {}

    public init(name: String, specification: String, isEnabled: Bool) {
        (self.name, self.specification, self.isEnabled) = (name, specification, isEnabled)
    }
}
