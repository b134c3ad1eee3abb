public import PodcastModel

// What is kept of what publishers say beyond what is played: plain lines, and no more than a person could want.

extension EpisodeDetails {
    /// Members of a list that are kept.
    static let listMembers = 100

    /// What is kept in the document of an episode; persons have separate rows. Nil if it is empty.
    public var kept: EpisodeDetails? {
        var kept = EpisodeDetails()
        kept.seasonName = seasonName.flatMap { SafeText.title($0) }
        kept.episodeName = episodeName.flatMap { SafeText.title($0) }
        kept.soundbites = soundbites.prefix(Self.listMembers).map { soundbite in
            var soundbite = soundbite
            soundbite.title = soundbite.title.flatMap { SafeText.title($0) }
            return soundbite
        }
        kept.locations = locations.kept
        return kept == EpisodeDetails() ? nil : kept
    }

    /// Adds what is kept to a digest; nothing where there is nothing, so that episodes without it keep theirs.
    public func add(to hash: inout StableHash) {
        hash.addAny([seasonName, episodeName])
        for soundbite in soundbites {
            hash.add(soundbite.start.milliseconds)
            hash.add(soundbite.duration.milliseconds)
            hash.add(soundbite.title)
        }
        for location in locations { location.add(to: &hash) }
    }
}

extension FeedDetails {
    /// The details to store; nil if there are none. The medium has a separate column.
    public var kept: FeedDetails? {
        var kept = FeedDetails()
        kept.funding = funding.prefix(EpisodeDetails.listMembers).map { link in
            Funding(url: link.url, text: link.text.flatMap { SafeText.title($0) })
        }
        kept.persons = persons.prefix(EpisodeDetails.listMembers).compactMap { person in
            var person = person
            guard let name = SafeText.title(person.name) else { return nil }
            person.name = name
            return person
        }
        kept.locations = locations.kept
        kept.liveItems = liveItems.prefix(EpisodeDetails.listMembers).map { live in
            var live = live
            live.item.title = live.item.title.flatMap { SafeText.title($0) }
            return live
        }
        return kept == FeedDetails() ? nil : kept
    }

    /// Adds what is kept to a digest; nothing where there is nothing.
    public func add(to hash: inout StableHash) {
        for link in funding {
            hash.add(link.url)
            hash.add(link.text)
        }
        for person in persons { for text in [person.name, person.role, person.href, person.image] { hash.add(text) } }
        for location in locations { location.add(to: &hash) }
        for live in liveItems {
            for text in [live.status, live.item.guid, live.item.title, live.item.link] { hash.add(text) }
            for time in [live.start, live.end] { hash.add(time?.milliseconds) }
            for media in live.item.enclosures { hash.add(media.url) }
        }
    }
}

extension [Location] {
    fileprivate var kept: [Location] {
        prefix(EpisodeDetails.listMembers).compactMap { location in
            var location = location
            guard let name = SafeText.title(location.name) else { return nil }
            location.name = name
            return location
        }
    }
}

extension Location {
    fileprivate func add(to hash: inout StableHash) {
        for text in [name, geo, openStreetMap, country, rel] { hash.add(text) }
    }
}

extension StableHash {
    /// Adds texts unless all are missing.
    fileprivate mutating func addAny(_ texts: [String?]) {
        guard texts.contains(where: { $0 != nil }) else { return }
        for text in texts { add(text) }
    }
}
