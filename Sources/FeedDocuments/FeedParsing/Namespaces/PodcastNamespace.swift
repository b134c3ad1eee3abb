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
        case "guid": .text { $0.channel.plain.guid = $0.channel.plain.guid ?? $1.string }
        case "updatefrequency": .attributes { $0.channel.rhythm.plan($1) }
        case "locked": .text { $0.channel.plain.locked = $0.channel.plain.locked ?? $1.flag }
        case "medium": .text { $0.channel.plain.details.medium = $0.channel.plain.details.medium ?? $1.word }
        case "funding":
            .attributesAndText { draft, attributes in
                guard let url = draft.base.url(attributes, "url") else { return nil }
                return { draft, text in
                    draft.channel.plain.details.funding.append(
                        Funding(url: url, text: text.string), upTo: draft.limits.listMembers)
                }
            }
        case "person": person(\.channel.plain.details.persons)
        case "location": location(\.channel.plain.details.locations)
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
            .text {
                $0.item.plain.details.seasonName = $1.text("name")?.string
            } _: {
                $0.item.season.offer(.secondary, $1.number)
            }
        case "episode":
            .text {
                $0.item.plain.details.episodeName = $1.text("display")?.string
            } _: {
                $0.item.episode.offer(.secondary, $1.number)
            }
        case "chapters": .attributes { $0.item[.chaptersURL].offer(.own, $0.base.url($1, "url")) }
        case "transcript": .attributes(transcript)
        case "person": person(\.item.plain.details.persons)
        case "location": location(\.item.plain.details.locations)
        case "soundbite":
            .attributesAndText { draft, attributes in
                guard let start = attributes.text("startTime").flatMap(AnnouncedTime.start),
                    let duration = attributes.text("duration").flatMap(AnnouncedTime.duration)
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

    private static func person(_ list: WritableKeyPath<FeedDraft, [Person]>) -> ElementRule {
        .attributesAndText { draft, attributes in
            let role = attributes.text("role")?.word ?? "host"
            let href = draft.base.url(attributes, "href")
            let image = draft.base.url(attributes, "img")
            return { draft, text in
                guard let name = text.string else { return }
                let person = Person(name: name, role: role, href: href, image: image)
                draft[keyPath: list].append(person, upTo: draft.limits.listMembers)
            }
        }
    }

    private static func location(_ list: WritableKeyPath<FeedDraft, [Location]>) -> ElementRule {
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
                draft[keyPath: list].append(location, upTo: draft.limits.listMembers)
            }
        }
    }
}
