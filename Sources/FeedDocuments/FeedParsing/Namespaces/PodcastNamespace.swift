internal import PodcastModel
internal import XMLEvents

extension FeedNamespace {
    static let podcast = FeedNamespace(
        "podcast",
        ["podcastindex.org/namespace/1.0", "github.com/podcastindex-org/podcast-namespace/blob/main/docs/1.0.md"],
        PodcastNamespace.rule)
}

/// Podcasting 2.0: podcastindex.org/namespace/1.0, with both names.
enum PodcastNamespace {
    static func rule(_ scope: Scope, _ element: String) -> ElementRule? {
        switch scope {
        case .channel: channel(element)
        case .item: item(element)
        case .document, .root, .image, .author, .owner, .chapters, .mediaGroup, .ignored: nil
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
        case "funding":
            .attributesAndText { draft, attributes in
                guard let url = draft.base.url(attributes, "url") else { return nil }
                return { draft, text in
                    draft.channel.plain.details.funding.append(
                        Funding(url: url, text: text.string), upTo: draft.limits.listMembers)
                }
            }
        case "person": person { $0.channel.plain.details.persons.append($1, upTo: $0.limits.listMembers) }
        case "location": location { $0.channel.plain.details.locations.append($1, upTo: $0.limits.listMembers) }
        // A live stream, current or announced, is not an episode.
        case "liveitem":
            .enter(.item) { draft, attributes in
                var live = LiveItem()
                live.status = attributes.text("status")?.word
                live.start = attributes.text("start").flatMap(FeedDate.parse)
                live.end = attributes.text("end").flatMap(FeedDate.parse)
                draft.beginLiveItem(live)
            } end: { draft, _ in
                draft.endLiveItem()
            }
        default: nil
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "season":
            .text { draft, attributes in
                draft.item.plain.details.seasonName = attributes.text("name")?.string
            } _: { draft, text in
                draft.item.season.offer(Rank.secondary, text.number)
            }
        case "episode":
            .text { draft, attributes in
                draft.item.plain.details.episodeName = attributes.text("display")?.string
            } _: { draft, text in
                draft.item.episode.offer(Rank.secondary, text.number)
            }
        case "chapters":
            .attributes { draft, attributes in
                draft.item.chaptersURL.offer(Rank.own, draft.base.url(attributes, "url"))
            }
        case "transcript": .attributes(transcript)
        case "person": person { $0.item.plain.details.persons.append($1, upTo: $0.limits.listMembers) }
        case "location": location { $0.item.plain.details.locations.append($1, upTo: $0.limits.listMembers) }
        case "soundbite":
            .attributesAndText { draft, attributes in
                guard let start = attributes.text("startTime").flatMap({ AnnouncedTime.start($0.bytes) }),
                    let duration = attributes.text("duration").flatMap({ AnnouncedTime.duration($0.bytes) })
                else { return nil }
                return { draft, text in
                    let soundbite = Soundbite(start: start, duration: duration, title: text.string)
                    draft.item.plain.details.soundbites.append(soundbite, upTo: draft.limits.listMembers)
                }
            }
        default: nil
        }
    }

    private static func transcript(_ draft: inout FeedDraft, _ attributes: XMLAttributes) {
        guard let url = draft.base.url(attributes, "url") else { return }
        let reference = TranscriptReference(
            url: url, type: attributes.text("type")?.string, language: attributes.text("language")?.string,
            rel: attributes.text("rel")?.string)
        draft.item.plain.transcripts.append(reference, upTo: draft.limits.listMembers)
    }

    private static func person(_ store: @escaping (inout FeedDraft, Person) -> Void) -> ElementRule {
        .attributesAndText { draft, attributes in
            let role = attributes.text("role")?.word ?? "host"
            let (href, image) = (draft.base.url(attributes, "href"), draft.base.url(attributes, "img"))
            return { draft, text in
                if let name = text.string { store(&draft, Person(name: name, role: role, href: href, image: image)) }
            }
        }
    }

    private static func location(_ store: @escaping (inout FeedDraft, Location) -> Void) -> ElementRule {
        .attributesAndText { _, attributes in
            var location = Location()
            location.geo = attributes.text("geo")?.string
            location.openStreetMap = attributes.text("osm")?.string
            location.country = attributes.text("country")?.string
            location.rel = attributes.text("rel")?.word
            return { [location] draft, text in
                guard let name = text.string else { return }
                var location = location
                location.name = name
                store(&draft, location)
            }
        }
    }
}
