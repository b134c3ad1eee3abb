import Foundation
import Secrets
import TestSupport
import Testing

/// The page's code is read by zbarimg in `aPhoneIsAddedAndRemovedInTheBrowser`.
struct QRCodeTests {
    @Test func aCodeHasThreeFinderPatternsAndGrowsWithItsText() throws {
        let code = try #require(QRCode("nc://login/server:http://radio.lan:6681"))
        expectEqual(code.size % 4, 1)
        for (x, y) in [(0, 0), (code.size - 7, 0), (0, code.size - 7)] {
            expectContains(code.outline, "M\(x) \(y)h1v1h-1z")
            #expect(!code.outline.contains("M\(x + 1) \(y + 1)h1v1h-1z"))
        }
        let long = try #require(QRCode(String(repeating: "é", count: 400)))
        #expect(long.size > code.size)
    }

    @Test func aTextThatNoCodeCanHoldHasNone() {
        #expect(QRCode(String(repeating: "x", count: 3_000)) == nil)
        #expect(QRCode("a\0b") == nil)
    }
}
