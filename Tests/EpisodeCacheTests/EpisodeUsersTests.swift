import MediaPorts
import Testing
import TestSupport

@testable import EpisodeCache

/// All orders of the users' requests and of the fetching thread's reactions.
struct EpisodeUsersTests {
    private enum Step: Equatable, CaseIterable {
        case wantHere, wantFar, rest, otherWants, otherRests
        /// The fetching thread acts on the oldest of what it was woken for.
        case act
        /// What comes of the request under way: the answer begins, or the connection breaks.
        case answer, lose
    }

    /// One episode, two users, and the fetching thread's tasks that wait.
    private struct World {
        var plan = makePlan()
        var users = EpisodeUsers()
        var tasks: [Int] = []
        var wanted: [Int: Int64] = [:]
        let one: Int
        let other: Int

        init(otherPriority: FetchPriority) {
            one = users.add()
            other = users.add(otherPriority)
        }

        mutating func take(_ step: Step) {
            switch step {
            case .wantHere: want(10, one)
            case .wantFar: want(5000, one)
            case .otherWants: want(20, other)
            case .rest: rest(one)
            case .otherRests: rest(other)
            case .act:
                if !tasks.isEmpty { _ = users.carryOut(user: tasks.removeFirst(), &plan, now: start) }
            case .answer:
                if case .requesting(let run) = plan.state {
                    _ = plan.head(partial(run.request.start, 9000, of: 9000), now: start)
                }
            case .lose: _ = plan.lose()
            }
        }

        private mutating func want(_ offset: Int64, _ user: Int) {
            wanted[user] = offset
            if users.want(from: offset, user: user, &plan) { tasks.append(user) }
        }

        private mutating func rest(_ user: Int) {
            wanted[user] = nil
            if users.suspend(user: user, &plan) { tasks.append(user) }
        }

        /// What is wrong once the thread has nothing left to do.
        var fault: String? {
            if wanted.isEmpty { return plan.isAtRest ? nil : "fetches without a user" }
            return plan.isAtRest ? "nothing is fetched for \(wanted)" : nil
        }
    }

    @Test func prefetchDoesNotTakeTheConnectionFromPlayback() {
        var plan = makePlan()
        var users = EpisodeUsers()
        let (listener, keeper) = (users.add(), users.add(.prefetch))
        _ = users.want(from: 5000, user: listener, &plan)
        _ = users.carryOut(user: listener, &plan, now: start)
        let mustAct = users.want(from: 0, user: keeper, &plan)
        #expect(!mustAct)
        let early = users.carryOut(user: keeper, &plan, now: start)
        #expect(early.isEmpty)
        // The low-priority user gets bytes once no other user needs bytes.
        let isFree = users.remove(user: listener, &plan)
        #expect(isFree)
        let later = users.carryOut(user: listener, &plan, now: start)
        #expect(later.first == .cancel && later.count == 2)
        // And loses it again.
        let other = users.add()
        _ = users.want(from: 5000, user: other, &plan)
        let last = users.carryOut(user: other, &plan, now: start)
        #expect(last.first == .cancel && last.count == 2)
    }

    @Test func aFetchThatTheDiskEndedBeginsAgainForTheNextUser() {
        var plan = makePlan()
        var users = EpisodeUsers()
        let listener = users.add()
        _ = users.want(from: 0, user: listener, &plan)
        _ = users.carryOut(user: listener, &plan, now: start)
        _ = plan.fail(MediaFailure(.storage, "full"))
        _ = users.remove(user: listener, &plan)
        // The plan is idle at once, not when the fetching thread runs.
        expectEqual(plan.phase, .idle)
        let other = users.add()
        let mustAct = users.want(from: 0, user: other, &plan)
        #expect(mustAct)
        let actions = users.carryOut(user: other, &plan, now: start)
        expectEqual(actions, [request(0)])
    }

    @Test(arguments: [FetchPriority.foreground, .prefetch])
    func inEveryOrderOfEventsUsersWithRequestsAreServedAndNoOthers(otherPriority: FetchPriority) {
        var faults: [String] = []
        var count = 0
        func explore(_ world: World, _ path: [Step]) {
            var settled = world
            while !settled.tasks.isEmpty { settled.take(.act) }
            count += 1
            if let fault = settled.fault { faults.append("\(path): \(fault)") }
            guard path.count < (isSanitized ? 5 : 6), faults.isEmpty else { return }
            for step in Step.allCases {
                var next = world
                next.take(step)
                explore(next, path + [step])
            }
        }
        explore(World(otherPriority: otherPriority), [])
        #expect(faults.isEmpty)
        #expect(count > (isSanitized ? 30_000 : 200_000))
    }
}
