internal import PodcastModel
internal import SQLite

/// Changes of another library that are merged into this one, within a transaction.
struct ChangeMerge: LibraryPart {
    let library: LibraryStore
    let isFirst: Bool
    let busy: EpisodeID?
    let now: Timestamp
    var applied = AppliedChanges()
    /// Number of imported episodes that wait for a refresh, if it was counted.
    var waiting: Int?
    /// Subjects whose value here differs from the other library's and must be sent to it: as the change of a row, or as a change made now.
    var owed: [(ChangedSubject, ChangeStore.LoggedChange?)] = []

    /// Applies a change, or notes why the library refuses it.
    /// - Parameters:
    ///   - objection: why the change cannot be applied to any library.
    ///   - episode: the episode of the change; nil if the library does not have it.
    mutating func take(_ change: LibraryChange, _ objection: String?, _ episode: EpisodeID?) throws {
        do {
            if let objection { throw LibraryError.refused(objection) }
            if let subject = try subject(change.subject, episode) {
                try merge(change, subject)
            } else {
                try postpone(change)
            }
        } catch let error as ExpressionError {
            applied.refused.append(error.what)
        } catch LibraryError.notFound(let what, _) {
            applied.refused.append("\(what) is not here")
        } catch LibraryError.refused(let why) {
            applied.refused.append(why)
        }
    }

    /// Returns nil if the library does not have the episode.
    private func subject(_ subject: LibraryChange.Subject, _ episode: EpisodeID?) throws -> ChangedSubject? {
        let form = subject.kind.form
        var key = ChangedSubject(subject.kind, name: form.name == .none ? "" : subject.name)
        if subject.kind == .subscription, let url = subject.feed {
            key.name = try library.feeds.subscribed(url: url).map { try library.feeds.stored($0).url } ?? url
            return key
        }
        switch form.owner {
        case .none: break
        case .episode:
            guard let episode else { return nil }
            key.owner = episode.rawValue
        case .feed, .feeds: if let url = subject.feed { key.owner = try library.imports.subscription(url).rawValue }
        }
        if key.kind == .rule {
            var rule = try RuleText(parsing: key.name)
            rule.condition = try rule.condition.lookingUp(feeds: library.imports.subscription)
            key.name = rule.description
        }
        if key.kind == .feedSetting, !FeedSetting.shared.map(\.rawValue).contains(key.name) {
            throw LibraryError.refused("\(key.name) is not shared")
        }
        return key
    }

    private enum Verdict {
        /// The change is not later.
        case leave
        /// The change is not later, and the other library did not have the episode when the subject was removed here.
        case remind(ChangeStore.LoggedChange)
        case adopt
        /// Adopt an earlier value, as a change made here now.
        case adoptAsOurs
        /// Keep the value here, as a change made here now.
        case keepOurs
    }

    private func verdict(
        on change: LibraryChange, _ subject: ChangedSubject, _ known: ChangeStore.LoggedChange?,
        _ own: LibraryChange.Value?
    ) throws -> Verdict {
        if subject.kind == .playback, let busy, busy == EpisodeID(subject.owner) { return .leave }
        if try library.changes.isLater(change, than: subject, known) {
            // A removal on one side must not remove a value of the other side.
            return isFirst && own != nil && change.value == nil ? .keepOurs : .adopt
        }
        switch (own, change.value) {
        case (.some, nil) where isFirst: return .keepOurs
        case (nil, .some) where isFirst: return .adoptAsOurs
        case (nil, .some) where subject.kind.form.owner == .episode: return known.map(Verdict.remind) ?? .leave
        case (nil, _), (.some, _): return .leave
        }
    }

    private mutating func merge(_ change: LibraryChange, _ subject: ChangedSubject) throws {
        let known = try library.changes.row(of: subject)
        let content = try library.changes.content(of: subject)
        switch try verdict(on: change, subject, known, content?.value) {
        case .leave: applied.unchanged += 1
        case .remind(let row):
            applied.unchanged += 1
            owed.append((subject, row))
        case .keepOurs:
            applied.unchanged += 1
            owed.append((subject, nil))
        case .adopt:
            if let known { applied.replaced.append(known.revision) }
            if known == nil, change.value == nil { try countRemoval(change) }
            if let content, content.value == change.value {
                // Log the later time, which decides about changes of a third library.
                try library.changes.log(subject, at: change.time, in: change.device)
                applied.unchanged += 1
                return
            }
            if try set(subject, to: change) {
                try library.changes.log(subject, at: change.time, in: change.device)
            } else {
                owed.append((subject, nil))
            }
            applied.changed += 1
        case .adoptAsOurs:
            _ = try set(subject, to: change)
            owed.append((subject, nil))
            applied.changed += 1
        }
    }

    /// Counts an episode whose playback a change replaces.
    mutating func note(_ change: LibraryChange, of subject: ChangedSubject) throws {
        applied.episodes += 1
        guard applied.details.count < SyncAccount.mostDetails, let own = try library.changes.content(of: subject),
            let episode = own.subject.episode, let old = own.value, let new = change.value
        else { return }
        applied.details.append("\(episode.title ?? episode.url): \(old.playback) becomes \(new.playback)")
    }
}
