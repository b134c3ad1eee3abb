internal import MediaPorts

/// Who uses an open episode, and what each of them wants.
///
/// Users say so on any thread, and the fetching thread, once woken, acts on what holds then: not on what held when it was woken.
/// A wake-up too many does nothing, and none can act on a want or a rest that another has overtaken.
///
/// A patient user, who keeps an episode that others listen to, is served while no other wants anything: one connection
/// serves all, and a listener must not wait for bytes that nobody hears.
struct EpisodeUsers {
    /// One `EpisodeSource`.
    private struct User {
        /// What it wanted last; nil when it is suspended.
        var wanted: Int64?
        var handler: (@Sendable (ByteSourceSnapshot) -> Void)?
        /// Whether it waits for those who are not.
        var isPatient: Bool
    }

    private var users: [Int: User] = [:]
    private var last = 0
    /// Whether there was a time since the plan was looked at when nobody wanted anything.
    private var isRestDue = false

    var count: Int { users.count }

    /// What users want, in no order.
    var wanted: [Int64] { users.values.compactMap(\.wanted) }

    var handlers: [@Sendable (ByteSourceSnapshot) -> Void] { users.values.compactMap(\.handler) }

    /// - Returns: the new user's number.
    mutating func add(isPatient: Bool = false) -> Int {
        last += 1
        users[last] = User(isPatient: isPatient)
        return last
    }

    mutating func setHandler(_ handler: (@Sendable (ByteSourceSnapshot) -> Void)?, of user: Int) {
        users[user]?.handler = handler
    }

    /// Notes what a user wants.
    /// - Returns: whether the plan has to be looked at by `carryOut`.
    mutating func want(from offset: Int64, user: Int, _ plan: inout FetchPlan) -> Bool {
        guard users[user] != nil else { return false }
        users[user]?.wanted = offset
        if isBehindOthers(user, plan) { return isRestDue }
        // A plan that is about to be suspended does not get there by itself.
        return isRestDue || !plan.absorb(wantFrom: offset)
    }

    /// Notes that a user wants nothing for now.
    /// - Returns: whether the plan has to be looked at by `carryOut`.
    mutating func rest(user: Int, _ plan: FetchPlan) -> Bool {
        users[user]?.wanted = nil
        return noteRest(plan)
    }

    /// Lets a user go.
    /// - Returns: whether the plan has to be looked at by `carryOut`.
    mutating func remove(user: Int, _ plan: FetchPlan) -> Bool {
        users[user] = nil
        return noteRest(plan)
    }

    private mutating func noteRest(_ plan: FetchPlan) -> Bool {
        // Whoever stood behind the others gets its turn.
        if !wanted.isEmpty { return !isAnybodyPressing }
        if !plan.isAtRest { isRestDue = true }
        return isRestDue
    }

    private var isAnybodyPressing: Bool { users.values.contains { !$0.isPatient && $0.wanted != nil } }

    /// What others want may be at hand already: then the connection is free.
    private func isBehindOthers(_ user: Int, _ plan: FetchPlan) -> Bool {
        users[user]?.isPatient == true && isAnybodyPressing && !plan.isAtRest
    }

    /// Has the plan follow what a user wants now, after a rest that was due.
    mutating func carryOut(user: Int, _ plan: inout FetchPlan, now: Int64) -> [FetchPlan.Action] {
        var actions: [FetchPlan.Action] = []
        if isRestDue {
            isRestDue = false
            actions += plan.suspend()
        }
        let isItsTurn = users[user]?.wanted != nil && !isBehindOthers(user, plan)
        // Whoever rests or goes leaves the connection to those who stood behind it.
        let next = isItsTurn ? users[user]?.wanted : isAnybodyPressing ? nil : wanted.first
        if let next { actions += plan.want(from: next, now: now) }
        return actions
    }

    /// Has a plan that is complete for one user fetch what another one misses.
    func serveOthers(_ plan: inout FetchPlan, now: Int64) -> [FetchPlan.Action] {
        guard users.count > 1, case .complete = plan.phase else { return [] }
        for wanted in wanted where plan.target(from: wanted) != nil { return plan.want(from: wanted, now: now) }
        return []
    }
}
