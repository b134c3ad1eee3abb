internal import PodcastModel
internal import XMLEvents

/// Podcasting 2.0: podcastindex.org/namespace/1.0, with both names.
enum PodcastNamespace: FeedNamespace {
    static let names = [
        "podcastindex.org/namespace/1.0", "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md",
    ]
    static let prefix: String? = "podcast"

    static func rule(for element: String, in scope: Scope) -> ElementRule? {
        switch scope {
        case .channel: channel(element)
        case .item: item(element)
        case .document, .root, .image, .channelAuthor, .itemAuthor, .owner, .chapters, .mediaGroup, .ignored: nil
        }
    }

    private static func channel(_ element: String) -> ElementRule? {
        switch element {
        case "guid": .text { draft, text in draft.channel.plain.guid = draft.channel.plain.guid ?? text.string }
        case "updatefrequency": .attributes { draft, attributes in draft.channel.rhythm.plan(attributes) }
        case "locked": .text { draft, text in draft.channel.plain.locked = draft.channel.plain.locked ?? text.flag }
        case "medium":
            .text { draft, text in draft.channel.plain.details.medium = draft.channel.plain.details.medium ?? text.word
            }
        case "funding": funding
        case "person": person { $0.channel.plain.details.persons.append($1, upTo: $0.limits.listMembers) }
        case "location": location { $0.channel.plain.details.locations.append($1, upTo: $0.limits.listMembers) }
        // A live stream, current or announced, is not an episode.
        case "liveitem":
            .enter(.item) { draft, attributes in
                var live = LiveItem()
                live.status = ElementText(trimming: attributes.value(named: "status"))?.word
                live.start = ElementText(trimming: attributes.value(named: "start")).flatMap(FeedDate.parse)
                live.end = ElementText(trimming: attributes.value(named: "end")).flatMap(FeedDate.parse)
                draft.beginLiveItem(live)
            } end: { draft, _ in
                draft.endLiveItem()
            }
        default: nil
        }
    }

    private static var funding: ElementRule {
        .text { draft, attributes in
            guard let source = ElementText(trimming: attributes.value(named: "url")),
                let url = draft.base.resolve(source)
            else { return }
            draft.channel.plain.details.funding.append(Funding(url: url, text: nil), upTo: draft.limits.listMembers)
            draft.isLabelled = true
        } _: { draft, text in
            guard draft.isLabelled, !draft.channel.plain.details.funding.isEmpty else { return }
            draft.isLabelled = false
            draft.channel.plain.details.funding[draft.channel.plain.details.funding.count - 1].text = text.string
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "season":
            .text { draft, attributes in
                draft.item.plain.details.seasonName = ElementText(trimming: attributes.value(named: "name"))?.string
            } _: { draft, text in
                draft.item.season.offer(Rank.secondary, text.number)
            }
        case "episode":
            .text { draft, attributes in
                draft.item.plain.details.episodeName = ElementText(trimming: attributes.value(named: "display"))?.string
            } _: { draft, text in
                draft.item.episode.offer(Rank.secondary, text.number)
            }
        case "chapters":
            .attributes { draft, attributes in
                guard let source = ElementText(trimming: attributes.value(named: "url")) else { return }
                draft.item.chaptersURL.offer(Rank.own, draft.base.resolve(source))
            }
        case "transcript": .attributes(transcript)
        case "person": person { $0.item.plain.details.persons.append($1, upTo: $0.limits.listMembers) }
        case "location": location { $0.item.plain.details.locations.append($1, upTo: $0.limits.listMembers) }
        case "soundbite": soundbite
        default: nil
        }
    }

    private static func transcript(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let source = ElementText(trimming: attributes.value(named: "url")), let url = draft.base.resolve(source)
        else { return }
        let reference = TranscriptReference(
            url: url, type: ElementText(trimming: attributes.value(named: "type"))?.string,
            language: ElementText(trimming: attributes.value(named: "language"))?.string,
            rel: ElementText(trimming: attributes.value(named: "rel"))?.string)
        draft.item.plain.transcripts.append(reference, upTo: draft.limits.listMembers)
    }

    private static func person(_ store: @escaping (inout FeedDraft, Person) -> Void) -> ElementRule {
        .text { draft, attributes in
            var person = Person(name: "")
            person.role = ElementText(trimming: attributes.value(named: "role"))?.word ?? "host"
            person.href = ElementText(trimming: attributes.value(named: "href")).flatMap(draft.base.resolve)
            person.image = ElementText(trimming: attributes.value(named: "img")).flatMap(draft.base.resolve)
            draft.openPerson = person
        } _: { draft, text in
            guard var person = draft.openPerson, let name = text.string else { return }
            draft.openPerson = nil
            person.name = name
            store(&draft, person)
        }
    }

    private static func location(_ store: @escaping (inout FeedDraft, Location) -> Void) -> ElementRule {
        .text { draft, attributes in
            var location = Location(name: "")
            location.geo = ElementText(trimming: attributes.value(named: "geo"))?.string
            location.openStreetMap = ElementText(trimming: attributes.value(named: "osm"))?.string
            location.country = ElementText(trimming: attributes.value(named: "country"))?.string
            location.rel = ElementText(trimming: attributes.value(named: "rel"))?.word
            draft.openLocation = location
        } _: { draft, text in
            guard var location = draft.openLocation.take(), let name = text.string else { return }
            location.name = name
            store(&draft, location)
        }
    }

    private static var soundbite: ElementRule {
        .text { draft, attributes in
            guard let start = ElementText(trimming: attributes.value(named: "startTime")),
                let duration = ElementText(trimming: attributes.value(named: "duration")),
                let start = AnnouncedTime.start(start.bytes), let duration = AnnouncedTime.duration(duration.bytes)
            else { return }
            draft.openSoundbite = Soundbite(start: start, duration: duration)
        } _: { draft, text in
            guard var soundbite = draft.openSoundbite.take() else { return }
            soundbite.title = text.string
            draft.item.plain.details.soundbites.append(soundbite, upTo: draft.limits.listMembers)
        }
    }
}
