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
    /// - Parameter episode: the episode of the change; nil if the library does not have it.
    mutating func take(_ change: LibraryChange, _ episode: EpisodeID?) throws {
        do {
            if let objection = change.objection(at: now) { throw LibraryError.refused(objection) }
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

    /// The decision about a change: what this library stores, and the change that it sends to the other library if that has another value.
    private enum Verdict {
        case keep(Owed?)
        case adopt(Owed?)
    }

    private enum Owed {
        /// A change that this library makes now.
        case now
        case row(ChangeStore.LoggedChange)
    }

    private func verdict(
        on change: LibraryChange, _ subject: ChangedSubject, _ known: ChangeStore.LoggedChange?,
        _ own: LibraryChange.Value?
    ) -> Verdict {
        if subject.kind == .playback, !subject.isWaiting, subject.owner == busy?.rawValue { return .keep(nil) }
        if let known, let verdict = simultaneous(change, known, own) { return verdict }
        if change.isLater(than: known, own) {
            // A removal on one side must not remove a value of the other side.
            return isFirst && own != nil && change.value == nil ? .keep(.now) : .adopt(nil)
        }
        switch (own, change.value) {
        case (.some, nil) where isFirst: return .keep(.now)
        case (nil, .some) where isFirst: return .adopt(.now)
        // The other library did not have the episode when the subject was removed here.
        case (nil, .some) where subject.kind.form.owner == .episode: return .keep(known.map(Owed.row))
        case (nil, _), (.some, _): return .keep(nil)
        }
    }

    /// Decides about two playbacks in one second, one of which a server has cut to whole seconds, so that their times do not say which is
    /// later: the greater content stays. If it is the cut one, it follows the other in the log, so that it wins in each library.
    private func simultaneous(
        _ change: LibraryChange, _ known: ChangeStore.LoggedChange, _ own: LibraryChange.Value?
    ) -> Verdict? {
        guard change.subject.kind == .playback, change.time.seconds == known.time.seconds, let own = own?.inSeconds,
            let new = change.value?.inSeconds
        else { return nil }
        var row = known
        row.time = max(change.time, known.time).adding(milliseconds: 1)
        row.device = max(change.device, known.device)
        switch (change.time.isWhole, known.time.isWhole) {
        case (true, false): return LibraryChange.Value.isGreater(new, than: own) ? .adopt(.row(row)) : nil
        case (false, true): return LibraryChange.Value.isGreater(own, than: new) ? .keep(.row(row)) : nil
        case (true, true), (false, false): return nil
        }
    }

    mutating func merge(_ change: LibraryChange, _ subject: ChangedSubject) throws {
        let known = try library.changes.row(of: subject)
        let own = try library.changes.change(of: subject, known)
        var verdict = verdict(on: change, subject, known, own?.value)
        if case .adopt(let owed) = verdict {
            if let known { applied.replaced.append(known.revision) }
            if known == nil, change.value == nil { try countRemoval(change) }
            if let own, own.value == change.value {
                // Log the later time, which decides about changes of a third library.
                try library.changes.log(subject, at: change.time, in: change.device)
                verdict = .keep(nil)
            } else if try !set(subject, to: change) {
                verdict = .adopt(.now)
            } else if owed == nil {
                try library.changes.log(subject, at: change.time, in: change.device)
            }
        }
        let owed: Owed?
        switch verdict {
        case .keep(let due):
            applied.unchanged += 1
            owed = due
        case .adopt(let due):
            applied.changed += 1
            owed = due
            if subject.kind == .playback { note(change, own) }
        }
        switch owed {
        case nil: break
        case .now: self.owed.append((subject, nil))
        case .row(let row): self.owed.append((subject, row))
        }
    }

    /// Counts an episode whose playback a change replaces.
    private mutating func note(_ change: LibraryChange, _ own: LibraryChange?) {
        applied.episodes += 1
        guard applied.details.count < SyncAccount.mostDetails, let own, let episode = own.subject.episode,
            let new = change.value
        else { return }
        let old = own.value ?? LibraryChange.Value()
        applied.details.append("\(episode.title ?? episode.url): \(old.playback) becomes \(new.playback)")
    }
}

extension LibraryChange.Value {
    /// A playback as servers keep it.
    fileprivate var inSeconds: LibraryChange.Value {
        LibraryChange.Value(
            position: position.map { MediaTime(seconds: $0.seconds.rounded(.down)) }, isPlayed: isPlayed)
    }
}

extension Timestamp {
    fileprivate var isWhole: Bool { milliseconds % 1000 == 0 }
}
