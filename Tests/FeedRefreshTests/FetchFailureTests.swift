import FeedRefresh
import Testing

struct FetchFailureTests {
    @Test func whatPassesByItselfIsTemporary() {
        #expect(FetchFailure.status(503).isTemporary)
        #expect(FetchFailure.status(429).isTemporary)
        #expect(FetchFailure.truncated.isTemporary)
        #expect(!FetchFailure.status(404).isTemporary)
        #expect(!FetchFailure.notAFeed(reason: "a web page").isTemporary)
        #expect(!FetchFailure.insecure("expired").isTemporary)
    }

    @Test func aPersonUnderstandsTheReason() {
        #expect(FetchFailure.status(410).description == "permanently removed (HTTP 410)")
        #expect(FetchFailure.status(404).description == "not found (HTTP 404)")
        #expect(FetchFailure.badAddress("not a valid URL").description == "not a valid URL")
        #expect(FetchFailure.badAddress("the URL is too long").description == "not a valid URL: the URL is too long")
        #expect(FetchFailure.notAFeed(reason: "empty").description == "not a feed: the document is empty")
        #expect(FetchFailure.tooLarge(limit: 64 << 20).description == "larger than 64 MiB")
    }

    @Test func anUnknownHostIsReportedOnce() {
        #expect(
            FetchFailure.unknownHost("unknown host nowhere.invalid").description
                == "unknown host nowhere.invalid; check the address and the network")
    }
}
