public import JSON
public import PodcastModel

extension EpisodeDetails {
    /// The details as a JSON object; members without a value are omitted.
    public var json: JSONValue {
        MemberList.object {
            $0.add("seasonName", seasonName)
            $0.add("episodeName", episodeName)
            $0.add("persons", persons, \.json)
            $0.add("soundbites", soundbites, \.json)
            $0.add("locations", locations, \.json)
        }
    }

    /// Reads details from a JSON object; nil for any other value.
    public init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init()
        seasonName = json.text("seasonName")
        episodeName = json.text("episodeName")
        persons = json.list("persons", Person.init)
        soundbites = json.list("soundbites", Soundbite.init)
        locations = json.list("locations", Location.init)
    }
}

extension FeedDetails {
    /// The details as a JSON object; members without a value are omitted.
    public var json: JSONValue {
        MemberList.object {
            $0.add("medium", medium)
            $0.add("funding", funding, \.json)
            $0.add("persons", persons, \.json)
            $0.add("locations", locations, \.json)
            $0.add("live", liveItems, \.json)
        }
    }

    /// Reads details from a JSON object; nil for any other value.
    public init?(json: JSONValue) {
        guard case .object = json else { return nil }
        self.init()
        medium = json.text("medium")
        funding = json.list("funding", Funding.init)
        persons = json.list("persons", Person.init)
        locations = json.list("locations", Location.init)
        liveItems = json.list("live", LiveItem.init)
    }
}
