import Foundation
import SystemCalls
import Testing

struct ResidentCodeTests {
    /// Kibibytes of files that are mapped into this process and in memory: `RssFile` in proc_pid_status(5).
    private func residentFiles() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.split(whereSeparator: { $0 == " " || $0 == "\t" })[1]))
    }

    @Test func releasingTheCodeFreesMostOfItsMemory() throws {
        let before = try residentFiles()
        var after = before
        // Other tests run meanwhile and map again what they need.
        for _ in 1...20 where after >= before * 3 / 4 {
            ResidentCode.release()
            after = try residentFiles()
        }
        #expect(after < before * 3 / 4)
    }
}
