internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

/// A signal of the player's object.
struct MPRISSignal: Equatable, Sendable {
    var interface: String
    var member: String
    var values: [BusValue]

    init(_ interface: MPRISInterface, _ member: String, _ values: [BusValue]) {
        (self.interface, self.member, self.values) = (interface.name, member, values)
    }
}

/// Which signals tell other programs about a new state.
struct MPRISReporter: Equatable, Sendable {
    /// The position that other programs assume without a `Seeked` signal: it advances with the rate while playing, and a track
    /// starts at its beginning.
    private struct AssumedPosition: Equatable {
        var entry: EntryID?
        var position = MediaTime.zero
        var instant = Instant(nanoseconds: 0)
        var rate = 0.0

        func position(at now: Instant) -> MediaTime {
            position + MediaTime(seconds: max(.zero, now - instant).inSeconds * rate)
        }
    }

    /// A smaller difference is not a jump.
    private static let tolerance = 0.5

    private var reported: MPRISState
    private var assumed = AssumedPosition()

    /// A reporter for programs that have read a state.
    init(_ state: MPRISState = MPRISState()) { reported = state }

    /// The signals that lead from the last state to this one.
    mutating func signals(for state: MPRISState, at now: Instant) -> [MPRISSignal] {
        if state == reported { return [] }
        defer { reported = state }
        var signals = MPRISInterface.all.compactMap { changes(of: $0, state, now) }
        if let position = jump(state, now) {
            signals.append(MPRISSignal(.player, "Seeked", [.int64(position.nanoseconds / 1000)]))
        }
        return signals + trackSignals(state)
    }

    private func changes(of interface: MPRISInterface, _ state: MPRISState, _ now: Instant) -> MPRISSignal? {
        var changed: [BusMember] = []
        var invalidated: [String] = []
        for property in interface.properties where property.report != .none {
            let value = property.value(state, now)
            if value == property.value(reported, now) { continue }
            if property.report == .value {
                changed.append(BusMember(property.name, value))
            } else {
                invalidated.append(property.name)
            }
        }
        if changed.isEmpty && invalidated.isEmpty { return nil }
        return MPRISSignal(
            .propertyAccess, "PropertiesChanged",
            [.string(interface.name), .dictionary(changed), .strings(invalidated)])
    }

    /// The new position if it differs from the assumed position.
    private mutating func jump(_ state: MPRISState, _ now: Instant) -> MediaTime? {
        let entry = state.player.episode?.entry
        var position = assumed.position(at: now)
        if entry != assumed.entry || (reported.status == .stopped && state.status != .stopped) { position = .zero }
        var jump: MediaTime?
        if state.status != .stopped, entry != nil, let actual = state.position(at: now),
            abs(actual.seconds - position.seconds) > Self.tolerance
        {
            (position, jump) = (actual, actual)
        }
        let rate = state.status == .playing ? state.player.speed : 0
        assumed = AssumedPosition(entry: entry, position: position, instant: now, rate: rate)
        return jump
    }

    // MARK: the track list

    private func trackSignals(_ state: MPRISState) -> [MPRISSignal] {
        let (old, new) = (reported.tracks, state.tracks)
        let (before, after) = (old.map(\.id), new.map(\.id))
        if before == after {
            return zip(old, new).compactMap { old, new in
                let metadata = MPRISTrack.metadata(new)
                if metadata == MPRISTrack.metadata(old) { return nil }
                return MPRISSignal(
                    .trackList, "TrackMetadataChanged", [.path(MPRISTrack.path(new.id)), .dictionary(metadata)])
            }
        }
        let index = zip(before, after).prefix { $0 == $1 }.count
        if after.count == before.count + 1, before[index...] == after[(index + 1)...] {
            let previous = index == 0 ? MPRISTrack.none : MPRISTrack.path(after[index - 1])
            return [
                MPRISSignal(
                    .trackList, "TrackAdded", [.dictionary(MPRISTrack.metadata(new[index])), .path(previous)])
            ]
        }
        if before.count == after.count + 1, after[index...] == before[(index + 1)...] {
            return [MPRISSignal(.trackList, "TrackRemoved", [.path(MPRISTrack.path(before[index]))])]
        }
        let current = state.player.episode.map { MPRISTrack.path($0.entry) }
        return [
            MPRISSignal(
                .trackList, "TrackListReplaced",
                [.paths(after.map(MPRISTrack.path)), .path(current ?? MPRISTrack.none)])
        ]
    }
}
