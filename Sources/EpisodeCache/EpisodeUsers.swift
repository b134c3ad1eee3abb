internal import MediaPorts
internal import PodcastModel

/// Who waits for bytes of an episode. One connection serves all users of an episode.
public enum FetchPriority: Sendable {
    case foreground
    /// Downloads; served only while no foreground user needs missing bytes.
    case prefetch
}

/// The users of an open episode and the bytes that each of them wants.
///
/// Users set offsets from any thread. The fetching thread, once woken, acts on the current offsets, not on those at the time of
/// the wake-up. A superfluous wake-up does nothing, and an outdated offset cannot take effect.
struct EpisodeUsers {
    private struct User {
        /// Nil while the user is suspended.
        var wanted: Int64?
        var handlers: [@Sendable (ByteSourceSnapshot) -> Void] = []
        let priority: FetchPriority
    }

    private var users: [Int: User] = [:]
    private var last = 0
    /// Whether no user wanted anything at some time since the last `carryOut`, so that the plan must be suspended first.
    private var isSuspensionDue = false

    var isEmpty: Bool { users.isEmpty }

    var hasForeground: Bool { users.values.contains { $0.priority == .foreground } }

    var wanted: [Int64] { users.values.compactMap(\.wanted) }

    var handlers: [@Sendable (ByteSourceSnapshot) -> Void] { users.values.flatMap(\.handlers) }

    /// - Returns: the new user's number.
    mutating func add(_ priority: FetchPriority = .foreground) -> Int {
        last += 1
        users[last] = User(priority: priority)
        return last
    }

    mutating func addHandler(_ handler: @escaping @Sendable (ByteSourceSnapshot) -> Void, of user: Int) {
        users[user]?.handlers.append(handler)
    }

    /// - Returns: whether `carryOut` must be called.
    mutating func want(from offset: Int64, user: Int, _ plan: inout FetchPlan) -> Bool {
        guard users[user] != nil else { return false }
        users[user]?.wanted = offset
        if mustWait(user, plan) { return isSuspensionDue }
        // A plan that is about to be suspended will not reach the offset without `carryOut`.
        return isSuspensionDue || !plan.absorb(wantFrom: offset)
    }

    /// - Returns: whether `carryOut` must be called.
    mutating func suspend(user: Int, _ plan: inout FetchPlan) -> Bool {
        users[user]?.wanted = nil
        return suspendIfUnwanted(&plan)
    }

    /// - Returns: whether `carryOut` must be called.
    mutating func remove(user: Int, _ plan: inout FetchPlan) -> Bool {
        users[user] = nil
        return suspendIfUnwanted(&plan)
    }

    private mutating func suspendIfUnwanted(_ plan: inout FetchPlan) -> Bool {
        // Low-priority users run once no foreground request is pending.
        if !wanted.isEmpty { return !hasForegroundRequest }
        if case .failed = plan.phase {
            // No request runs. A user that asks before the fetching thread runs must not see this failure.
            _ = plan.suspend()
            return false
        }
        if !plan.isAtRest { isSuspensionDue = true }
        return isSuspensionDue
    }

    private var hasForegroundRequest: Bool { users.values.contains { $0.priority == .foreground && $0.wanted != nil } }

    /// Whether a user waits for others. If what they want is available already, the connection is free.
    private func mustWait(_ user: Int, _ plan: FetchPlan) -> Bool {
        users[user]?.priority == .prefetch && hasForegroundRequest && !plan.isAtRest
    }

    /// Makes the plan follow what a user wants now, after a suspension that was due.
    mutating func carryOut(user: Int, _ plan: inout FetchPlan, now: Instant) -> [FetchPlan.Action] {
        var actions: [FetchPlan.Action] = []
        if isSuspensionDue {
            isSuspensionDue = false
            actions += plan.suspend()
        }
        let isItsTurn = users[user]?.wanted != nil && !mustWait(user, plan)
        // A user that suspends or closes leaves the connection to others.
        let next = isItsTurn ? users[user]?.wanted : hasForegroundRequest ? nil : wanted.first
        if let next { actions += plan.want(from: next, now: now) }
        return actions
    }

    /// Makes a plan that is complete for one user fetch what another one needs.
    func serveOthers(_ plan: inout FetchPlan, now: Instant) -> [FetchPlan.Action] {
        guard users.count > 1, case .complete = plan.phase else { return [] }
        for wanted in wanted where plan.target(from: wanted) != nil { return plan.want(from: wanted, now: now) }
        return []
    }
}
