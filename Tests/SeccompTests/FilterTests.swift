@testable import DecoderSandbox
import SystemCalls
import Testing

/// That a filter holds is proven where a process may die of it: in DecoderHostTests.
@Suite struct FilterTests {
    @Test func aNameThatNobodyKnowsIsRefused() throws {
        let filter = try SystemCallFilter()
        #expect(throws: SystemError.self) { try filter.allow("no_such_call") }
    }

    @Test func rulesWithConditionsAreTaken() throws {
        let filter = try SystemCallFilter()
        try filter.allow("read")
        try filter.allow("mmap", [.lacksBits(index: 2, 4)])
        try filter.allow("tgkill", [.equals(index: 0, 1)])
    }
}
