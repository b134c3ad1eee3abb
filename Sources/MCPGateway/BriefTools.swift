internal import ControlLanguage
internal import ControlProtocol
internal import JSON

/// The tools that are listed unless all are asked for: enough to find, play and queue episodes, and described for a model that
/// knows nothing else of the program. The list of all tools would fill much of what a model can keep in mind.
enum BriefTools {
    /// How the list describes a tool: what it does, and those of its parameters that a model needs.
    struct Description: Sendable {
        var text: String
        var parameters: [(name: String, text: String)] = []
    }

    /// Parameters of `playback.play` that this gateway adds; see `PlaySequence`.
    static let ofSequence: [JSONValue.Member] = [
        .init(
            "search",
            [
                "type": "string",
                "description": "Instead of what: play the episode that this finds, as episodes_list does.",
            ]),
        .init("feed", ["type": "string", "description": "With search: only in this feed, by its id or title."]),
        .init(
            "order",
            [
                "type": "string", "enum": ["newest", "oldest", "best"],
                "description": "With search: which of the episodes that are found (default: newest).",
            ]),
        .init(
            "speed",
            ["type": "number", "minimum": 0.5, "maximum": 4, "description": "Playback speed from now on; 1 is normal."]),
    ]

    static let all: [(command: String, description: Description)] = [
        (
            GetStatus.name,
            Description(
                text: "What is playing: episode, position and duration in seconds, speed, volume, what comes next.")
        ),
        (
            ListEpisodes.name,
            Description(
                text:
                    "Find episodes of the subscribed feeds. Without parameters: the newest ones. Each has an id to use as what.",
                parameters: [
                    ("search", "Words in title, notes or transcript; a word with - in front must not occur."),
                    ("feed", "Only of this feed, by its id (f3) or title."), ("unplayed", "Only those not played yet."),
                    ("starred", "Only starred ones."), ("inProgress", "Only those begun and not finished."),
                    ("order", "newest, oldest or best match (default: best with search, else newest)."),
                    ("limit", "Number of episodes (default: 50). 10 is enough for most questions."),
                    ("after", "For the next page: the key of the last episode."),
                ])
        ),
        (
            ShowEpisode.name,
            Description(
                text: "Everything about one episode, with the publisher's notes.",
                parameters: [("episode", "Its id (e12), words of its title, or current.")])
        ),
        (
            ListFeeds.name,
            Description(
                text: "The subscribed feeds (podcasts) with their ids.",
                parameters: [
                    ("limit", "Number of feeds (default: 200)."),
                    ("after", "For the next page: the key of the last feed."),
                ])
        ),
        (
            ListQueue.name,
            Description(
                text: "The queue: what plays now and next, with an index for each entry.",
                parameters: [
                    ("limit", "Number of entries (default: 200)."), ("after", "Only entries after this index."),
                ])
        ),
        (
            Play.name,
            Description(
                text:
                    "Play an episode, or resume. One call finds and plays: {\"search\": \"whales\", \"speed\": 1.5} plays the newest "
                    + "episode about whales at that speed. With speed alone, what plays continues at that speed.",
                parameters: [
                    (
                        "what",
                        "An episode's id (e12), a feed's id (f3) for its newest unplayed episode (a serial show: its oldest), #2 for an index in the queue, a URL, or words of a title."
                    ),
                    ("position", "Where to begin: seconds, or 1:02:03 (default: where it was stopped)."),
                ])
        ),
        (Pause.name, Description(text: "Pause. playback_play resumes.")),
        (PlayNext.name, Description(text: "Skip to the next entry of the queue.")),
        (
            Seek.name,
            Description(
                text: "Move within the episode that plays.",
                parameters: [
                    (
                        "time",
                        "Seconds from its beginning, or text: \"+30\" and \"-15\" are relative, \"1:02:03\", \"50%\"."
                    )
                ])
        ),
        (
            SetVolume.name,
            Description(
                text: "Set or change the volume.",
                parameters: [
                    ("level", "Percent."), ("change", "Percent to add; negative is quieter. Instead of level."),
                ])
        ),
        (
            SetSleepTimer.name,
            Description(
                text: "Stop playing later. Without parameters: tell when.",
                parameters: [
                    ("when", "A time from now such as \"30m\", \"end-of-episode\", \"end-of-chapter\", or \"off\".")
                ])
        ),
        (
            AddToQueue.name,
            Description(
                text: "Queue episodes to be played later.",
                parameters: [
                    ("what", "Ids of episodes (e12) or feeds (f3: its unplayed episodes), URLs, or words of a title."),
                    ("at", "Index of the first one (default: at the end)."),
                ])
        ),
        (
            RemoveFromQueue.name,
            Description(
                text: "Remove entries from the queue. The episodes stay in the library.",
                parameters: [("what", "Indexes in the queue, or ids of episodes.")])
        ),
        (
            MarkEpisodes.name,
            Description(
                text: "Mark episodes as played or not played.",
                parameters: [("as", "played or unplayed."), ("what", "Ids of episodes (e12), or current.")])
        ),
        (
            Subscribe.name,
            Description(
                text: "Subscribe to podcasts.",
                parameters: [("urls", "URLs of feeds, of web pages that link to one, or of Apple Podcasts pages.")])
        ),
    ]
}
