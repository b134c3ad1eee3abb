import PodcastModel
import Testing

@testable import GatewayKit

@Suite struct FailedLoginsTests {
    @Test func wrongLoginsOfAClientAreLimited() {
        var failures = FailedLogins()
        let start = Instant(nanoseconds: 1_000_000_000)
        for _ in 0..<FailedLogins.allowed {
            #expect(failures.wait(for: "a", at: start) == nil)
            failures.failed("a", at: start)
        }
        #expect(failures.wait(for: "a", at: start) == 60)
        #expect(failures.wait(for: "a", at: start + .milliseconds(59_500)) == 1)
        #expect(failures.wait(for: "b", at: start) == nil)
        #expect(failures.wait(for: "a", at: start + FailedLogins.forgotten) == nil)
        failures.succeeded("a")
        #expect(failures.wait(for: "a", at: start) == nil)
        for number in 0..<5_000 { failures.failed("address \(number)", at: start) }
        #expect(failures.wait(for: "another", at: start) != nil, "too many addresses to tell them apart")
        #expect(failures.wait(for: "another", at: start + FailedLogins.forgotten) == nil)
    }
}
