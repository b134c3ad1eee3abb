@testable import DaemonCore
import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import Reporting
import TestSupport
import Testing

/// Activities that clients begin over the control socket.
struct ActivityLimitTests {
    private let board = ActivityBoard { Timestamp(seconds: 1_000) }
    private let handler: ActivitiesHandler
    private let hostile = String(repeating: "\u{1}", count: 4000)
    private let quotes = String(repeating: "\"", count: 4000)

    init() { handler = ActivitiesHandler(board: board) }

    private func begin(
        _ connection: UInt64, user: UInt32, _ permission: CommandDeclaration.Permission = .control,
        message: String = "Loading"
    ) -> Bool {
        let request = BeginActivity { ($0.message, $0.subject) = (message, message) }
        let caller = Caller(
            connection: ConnectionID(connection), peer: PeerIdentity(process: 1, user: user, group: user),
            permission: permission)
        return (try? handler.begin(request, caller)) != nil
    }

    @Test func oneUserHasAtMost32OnAllConnectionsTogether() throws {
        for connection in 0..<40 as Range<UInt64> {
            expectEqual(begin(connection, user: 1000), connection < 32)
        }
        #expect(begin(100, user: 1001))
        handler.connectionEnded(ConnectionID(0))
        #expect(begin(101, user: 1000))
    }

    @Test func whenOtherUsersHaveBegunAllThatTheyMayAnAdministratorStillBeginsOne() throws {
        for number in 0..<200 as Range<UInt64> {
            expectEqual(begin(number, user: UInt32(1000 + number)), number < 128)
        }
        #expect(begin(300, user: 0, .admin))
    }

    @Test func theStatusWithAllActivitiesOfHostileClientsFitsInALine() throws {
        for number in 0..<200 as Range<UInt64> {
            _ = begin(number, user: UInt32(number), .admin, message: number % 2 == 0 ? hostile : quotes)
        }
        let replies = board.snapshot
        expectEqual(replies.count, 160)
        #expect(replies.json.text.utf8.count < Outgoing.maximumLine / 4)
    }
}
