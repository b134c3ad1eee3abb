internal import ControlProtocol
internal import PodcastModel
internal import SessionBus

struct MPRISSignal: Equatable {
    var interface: String
    var member: String
    var values: [BusValue]

    init(_ interface: MPRISInterface, _ member: String, _ values: [BusValue]) {
        self.interface = interface.name
        self.member = member
        self.values = values
    }
}

/// Which signals tell other programs about a new state.
struct MPRISReporter: Equatable {
    /// What other programs assume without a `Seeked` signal: a track starts at its beginning and advances with the rate.
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

    init(_ state: MPRISState = MPRISState()) { reported = state }

    mutating func signals(for state: MPRISState, at now: Instant) -> [MPRISSignal] {
        if state == reported { return [] }
        defer { reported = state }
        var signals = MPRISInterface.all.compactMap { changes(of: $0, state) }
        if let position = jump(state, now) {
            signals.append(MPRISSignal(.player, "Seeked", [.int64(position.nanoseconds / 1000)]))
        }
        return signals
    }

    private func changes(of interface: MPRISInterface, _ state: MPRISState) -> MPRISSignal? {
        let changed = interface.properties.filter(\.isReported).compactMap { property -> BusMember? in
            let value = property.value(state)
            return value == property.value(reported) ? nil : BusMember(property.name, value)
        }
        if changed.isEmpty { return nil }
        return MPRISSignal(
            .propertyAccess, "PropertiesChanged", [.string(interface.name), .dictionary(changed), .strings([])])
    }

    /// The new position if it differs from the assumed position.
    private mutating func jump(_ state: MPRISState, _ now: Instant) -> MediaTime? {
        let entry = state.player.episode?.entry
        var position = assumed.position(at: now)
        if entry != assumed.entry || (reported.status == .stopped && state.status != .stopped) { position = .zero }
        var jump: MediaTime?
        if state.status != .stopped, entry != nil, let actual = state.player.position(at: now),
            abs(actual.seconds - position.seconds) > Self.tolerance
        {
            position = actual
            jump = actual
        }
        let rate = state.status == .playing ? state.player.speed : 0
        assumed = AssumedPosition(entry: entry, position: position, instant: now, rate: rate)
        return jump
    }
}
