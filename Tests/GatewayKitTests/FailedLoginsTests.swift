import PodcastModel
import Testing
import TestSupport

@testable import GatewayKit

@Suite struct FailedLoginsTests {
    @Test func wrongLoginsOfAClientAreLimited() {
        var failures = FailedLogins()
        let start = Instant(nanoseconds: 1_000_000_000)
        for _ in 0..<FailedLogins.allowed {
            expectEqual(failures.wait(for: "a", at: start), nil)
            failures.failed("a", at: start)
        }
        expectEqual(failures.wait(for: "a", at: start), 60)
        expectEqual(failures.wait(for: "a", at: start + .milliseconds(59_500)), 1)
        expectEqual(failures.wait(for: "b", at: start), nil)
        expectEqual(failures.wait(for: "a", at: start + FailedLogins.forgotten), nil)
        failures.succeeded("a")
        expectEqual(failures.wait(for: "a", at: start), nil)
        for number in 0..<5_000 { failures.failed("address \(number)", at: start) }
        #expect(failures.wait(for: "another", at: start) != nil, "too many addresses to tell them apart")
        expectEqual(failures.wait(for: "another", at: start + FailedLogins.forgotten), nil)
    }
}
