internal import PodcastModel
internal import XMLEvents

/// Podcasting 2.0: podcastindex.org/namespace/1.0, under both of its names.
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
        case "locked": .text { draft, text in draft.channel.plain.locked = draft.channel.plain.locked ?? text.flag }
        case "medium": .text { draft, text in draft.channel.plain.medium = draft.channel.plain.medium ?? text.word }
        case "funding": funding
        // A stream that is on now or will be is no episode.
        case "liveitem": .enter(.ignored)
        default: nil
        }
    }

    private static var funding: ElementRule {
        .text { draft, attributes in
            guard let source = ElementText(trimming: attributes.value(named: "url")),
                let url = draft.base.resolve(source)
            else { return }
            draft.channel.plain.funding.append(Funding(url: url, text: nil), upTo: draft.limits.listMembers)
            draft.isLabelled = true
        } _: { draft, text in
            guard draft.isLabelled, !draft.channel.plain.funding.isEmpty else { return }
            draft.isLabelled = false
            draft.channel.plain.funding[draft.channel.plain.funding.count - 1].text = text.string
        }
    }

    private static func item(_ element: String) -> ElementRule? {
        switch element {
        case "season": .text { draft, text in draft.item.season.offer(Rank.secondary, text.number) }
        case "episode": .text { draft, text in draft.item.episode.offer(Rank.secondary, text.number) }
        case "chapters":
            .attributes { draft, attributes in
                guard let source = ElementText(trimming: attributes.value(named: "url")) else { return }
                draft.item.chaptersURL.offer(Rank.own, draft.base.resolve(source))
            }
        case "transcript": .attributes(transcript)
        case "person": person
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
        draft.item.transcripts.append(reference, upTo: draft.limits.listMembers)
    }

    private static var person: ElementRule {
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
            draft.item.persons.append(person, upTo: draft.limits.listMembers)
        }
    }
}
