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

    @Test(arguments: [
        ("127.0.0.1", "127.8.3.1", true), ("127.0.0.1", "::1", true), ("127.0.0.1", "::ffff:127.0.0.2", true),
        ("2001:db8::1", "2001:db8::ffff:0:0:1", true), ("2001:db8:0:1::1", "2001:db8:0:1:2:3:4:5", true),
        ("2001:db8::1", "2001:db8:0:1::1", false), ("192.0.2.1", "192.0.2.2", false), ("fe80::1", "2001:db8::1", false),
    ])
    func addressesOfOneMachineCountAsOneClient(_ one: String, _ other: String, _ areOne: Bool) {
        var failures = FailedLogins()
        let start = Instant(nanoseconds: 1_000_000_000)
        for _ in 0..<FailedLogins.allowed { failures.failed(one, at: start) }
        #expect((failures.wait(for: other, at: start) != nil) == areOne)
    }
}
