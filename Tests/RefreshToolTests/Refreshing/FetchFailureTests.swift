import FeedDocuments
@testable import RefreshTool
import HTTP
import Testing
import TestSupport

struct FetchFailureTests {
    @Test func whatPassesByItselfIsTemporary() {
        #expect(FetchFailure.status(503).isTemporary)
        #expect(FetchFailure.status(429).isTemporary)
        #expect(FetchFailure.truncated.isTemporary)
        #expect(!FetchFailure.status(404).isTemporary)
        #expect(!FetchFailure.notAFeed(.webPage).isTemporary)
        #expect(!FetchFailure.transfer(.certificate, "expired").isTemporary)
    }

    @Test func aPersonUnderstandsTheReason() {
        expectEqual(FetchFailure.status(410).description, "permanently removed (HTTP 410)")
        expectEqual(FetchFailure.status(404).description, "not found (HTTP 404)")
        expectEqual(FetchFailure.transfer(.invalidRequest, "not a valid URL").description, "not a valid URL")
        expectEqual(
            FetchFailure.transfer(.redirectRefused, "the URL is too long").description,
            "not a valid URL: the URL is too long")
        expectEqual(FetchFailure.notAFeed(.other("empty")).description, "not a feed: the document is empty")
        expectEqual(FetchFailure.tooLarge(limit: 64 << 20).description, "larger than 64 MiB")
    }

    @Test func anUnknownHostIsReportedOnce() {
        expectEqual(
            FetchFailure.transfer(.resolve, "unknown host nowhere.invalid").description,
            "unknown host nowhere.invalid; check the address and the network")
    }
}
