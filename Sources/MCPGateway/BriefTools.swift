internal import ControlLanguage
internal import ControlProtocol
internal import JSON

/// The tools that are listed unless all are asked for: enough to find, play and queue episodes, and described for a model that
/// knows nothing else of the program. The list of all tools would fill much of what a model can keep in mind.
enum BriefTools {
    /// How the list describes a tool: what it does, and those of its parameters that a model needs.
    struct Description {
        let command: String
        let text: String
        let parameters: KeyValuePairs<String, String>

        init(_ command: String, _ text: String, _ parameters: KeyValuePairs<String, String> = [:]) {
            self.command = command
            self.text = text
            self.parameters = parameters
        }
    }

    static let feedsPerPage: JSONValue = 20

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

    static let all: [Description] = [
        .init(
            GetStatus.name,
            "What is playing: episode, position and duration in seconds, speed, volume, what comes next."),
        .init(
            ListEpisodes.name,
            "Find episodes of the subscribed feeds. Without parameters: the newest ones. Each has an id to use as what.",
            [
                "search": "Words in title, notes or transcript; a word with - in front must not occur.",
                "feed": "Only of this feed, by its id (f3) or title.", "unplayed": "Only those not played yet.",
                "starred": "Only starred ones.", "inProgress": "Only those begun and not finished.",
                "order": "newest, oldest or best match (default: best with search, else newest).",
                "limit": "Number of episodes (default: 50). 10 is enough for most questions.",
                "after": "For the next page: the key of the last episode.",
            ]),
        .init(
            ShowEpisode.name, "Everything about one episode, with the publisher's notes.",
            ["episode": "Its id (e12), words of its title, or current."]),
        .init(
            ListFeeds.name, "The subscribed feeds (podcasts) with their ids.",
            [
                "limit": "Number of feeds (default: \(feedsPerPage.text)).",
                "after": "For the next page: the key of the last feed.",
            ]),
        .init(
            ListQueue.name, "The queue: the current entry and the next ones, each with an index.",
            ["limit": "Number of entries (default: 200).", "after": "Only entries after this index."]),
        .init(
            Play.name,
            "Play an episode, or resume. One call finds and plays: {\"search\": \"whales\", \"speed\": 1.5} plays the newest "
                + "episode about whales at that speed. With speed alone, playback continues at that speed.",
            [
                "what":
                    "An episode's id (e12), a feed's id (f3) for its newest unplayed episode (a serial show: its oldest), #2 for an index in the queue, a URL, or words of a title.",
                "position": "Where to begin: seconds, or 1:02:03 (default: where it was stopped).",
            ]),
        .init(Pause.name, "Pause. playback_play resumes."),
        .init(PlayNext.name, "Skip to the next entry of the queue."),
        .init(
            Seek.name, "Move within the episode that plays.",
            ["time": "Seconds from its beginning, or text: \"+30\" and \"-15\" are relative, \"1:02:03\", \"50%\"."]),
        .init(
            SetVolume.name, "Set or change the volume.",
            ["level": "Percent.", "change": "Percent to add; negative is quieter. Instead of level."]),
        .init(
            SetSleepTimer.name, "Stop playing later. Without parameters: tell when.",
            ["when": "A time from now such as \"30m\", \"end-of-episode\", \"end-of-chapter\", or \"off\"."]),
        .init(
            AddToQueue.name, "Queue episodes to be played later.",
            [
                "what": "Ids of episodes (e12) or feeds (f3: its unplayed episodes), URLs, or words of a title.",
                "at": "Index of the first one (default: at the end).",
            ]),
        .init(
            RemoveFromQueue.name, "Remove entries from the queue. The episodes stay in the library.",
            ["what": "Indexes in the queue, or ids of episodes."]),
        .init(
            MarkEpisodes.name, "Mark episodes as played or not played.",
            ["as": "played or unplayed.", "what": "Ids of episodes (e12), or current."]),
        .init(
            Subscribe.name, "Subscribe to podcasts.",
            ["urls": "URLs of feeds, of web pages that link to one, or of Apple Podcasts pages."]),
    ]
}
