import SystemCalls
import Testing
import TestSupport

@testable import LineServing

@Suite struct ConnectionSharesTests {
    private var limits: LineServer.Limits = {
        var limits = LineServer.Limits()
        limits.connections = 20
        limits.connectionsPerAccount = 8
        limits.bytesPerAccount = 1000
        return limits
    }()

    private func peer(_ user: UInt32, process: Int32 = 1) -> LinePeer {
        .local(LocalSocket.Credentials(process: process, user: user, group: user), groups: [])
    }

    /// Opens connections until one is refused; returns how many there are then.
    private func fill(
        _ shares: inout ConnectionShares, _ peer: LinePeer, isOwner: Bool = false, descriptors: Int = 10_000,
        isShort: Bool = false
    ) -> Int {
        var count = 0
        while count < 1000,
            let place = try? shares.place(for: peer, isOwner: isOwner, descriptors: descriptors, isShort: isShort)
        {
            shares.open(peer, place)
            count += 1
        }
        return count
    }

    @Test func oneUserCannotOccupyTheConnectionsOfOthers() {
        var shares = ConnectionShares(limits)
        expectEqual(fill(&shares, peer(1)), 8)
        expectEqual(fill(&shares, peer(2)), 8)
        expectEqual(fill(&shares, peer(3)), 4)
        expectEqual(fill(&shares, peer(4)), 0)
    }

    @Test func theOwnerConnectsWhileOthersHaveAllConnections() {
        var shares = ConnectionShares(limits)
        for user in 1...10 as ClosedRange<UInt32> { _ = fill(&shares, peer(user)) }
        expectEqual(shares.count, 20)
        #expect(fill(&shares, peer(1000, process: 7), isOwner: true) > 0)
    }

    @Test func aProgramOfTheOwnersThatHasAllConnectionsLeavesSomeToOthersOfItsPrograms() {
        var shares = ConnectionShares(limits)
        let all = fill(&shares, peer(0, process: 7), isOwner: true)
        #expect(all >= 20 && all < 30)
        #expect(fill(&shares, peer(0, process: 8), isOwner: true) > 0)
    }

    @Test func aClosedConnectionMakesRoom() throws {
        var shares = ConnectionShares(limits)
        let (all, owner) = (fill(&shares, peer(1)), peer(0))
        let reserved = try shares.place(for: owner, isOwner: true, descriptors: 10_000, isShort: true)
        shares.open(owner, reserved)
        shares.close(peer(1), .ordinary, bytes: 0)
        shares.close(owner, reserved, bytes: 0)
        expectEqual(shares.count, all - 1)
        expectEqual(fill(&shares, peer(1)), 1)
        let first = fill(&shares, owner, isOwner: true, isShort: true)
        #expect(first > 0)
    }

    @Test func connectionsLeaveDescriptorsForTheDaemonsOtherWork() {
        for descriptors in [24, 64, 256, 1024] {
            var limits = limits
            (limits.connections, limits.connectionsPerAccount) = (5000, 5000)
            var shares = ConnectionShares(limits)
            let count = fill(&shares, peer(1), descriptors: descriptors)
            #expect(count <= max(descriptors / 2, descriptors - 100) && count >= descriptors / 3)
        }
    }

    @Test func evenWithTheOwnersConnectionsHalfOfFewDescriptorsStayFree() {
        for descriptors in [24, 64] {
            var shares = ConnectionShares(limits)
            for user in 1...100 as ClosedRange<UInt32> { _ = fill(&shares, peer(user), descriptors: descriptors) }
            for process in 1...100 as ClosedRange<Int32> {
                _ = fill(&shares, peer(0, process: process), isOwner: true, descriptors: descriptors)
            }
            #expect(shares.count <= descriptors / 2)
        }
    }

    @Test func onlyTheAccountThatHoldsTooMuchIsNamed() {
        var shares = ConnectionShares(limits)
        for user in [1, 2] as [UInt32] { for _ in 0..<3 { shares.open(peer(user), .ordinary) } }
        shares.holds(400, before: 0, peer(1))
        shares.holds(600, before: 0, peer(1))
        shares.holds(900, before: 0, peer(2))
        #expect(shares.overdrawn.isEmpty)
        shares.holds(1, before: 0, peer(1))
        expectEqual(shares.overdrawn, [.user(1)])
        shares.close(peer(1), .ordinary, bytes: 600)
        #expect(shares.overdrawn.isEmpty)
    }

    @Test func theConnectionsThatHoldMostAreClosed() {
        let shares = ConnectionShares(limits)
        expectEqual(shares.excess([(1, 10), (2, 600), (3, 300), (4, 200), (5, 0)]), [2, 3])
    }
}
