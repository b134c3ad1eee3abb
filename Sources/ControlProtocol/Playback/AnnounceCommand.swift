public import ControlLanguage
internal import PodcastModel

public struct Announce: Command {
    public var what = ""
    public var volume: Int?

    public static let form = CommandForm<PlayerStateReply>(
        "playback.announce", "Interrupt playback for a message, and return to the same place.", .control,
        verb: "announce", group: "Playback",
        details: [
            "What plays fades out, the message plays once at normal speed, and playback returns to where the fade began; what "
                + "was paused or stopped is so again. A file is opened with your rights.",
            "'next' ends the message early, 'stop' ends it without a return, and another message replaces it. It is neither "
                + "queued nor kept in the library or the history.",
            "Waits up to three seconds for the message to load, and exits as 'play' does.",
        ])
    public init() {}
    public mutating func declareParameters(_ parameters: inout ParameterExchange) {
        parameters.declare(
            "what", &what, .text(maximumBytes: 4096), isRequired: true,
            help:
                "URL of an audio file, or its path. On the socket the descriptor of the file comes with the request."
        )
        parameters.declare(
            "volume", &volume, .integer(0...100), spelling: .option,
            help: "Volume of the message as a percentage (default: that of playback).")
    }
}
