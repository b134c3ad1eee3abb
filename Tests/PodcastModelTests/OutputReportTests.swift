import PodcastModel
import TestSupport
import Testing

extension OutputReport {
    fileprivate init?(line: String) {
        var line = line
        guard let report = line.withUTF8({ OutputReport(UnsafeRawBufferPointer($0)) }) else { return nil }
        self = report
    }
}

@Suite struct OutputReportTests {
    @Test(arguments: [OutputReport.waits("it loads the episode"), .plays(pace: 0), .plays(pace: 1.25)])
    func aLineIsReadAsItWasWritten(report: OutputReport) { expectEqual(OutputReport(line: report.line), report) }

    @Test(arguments: [
        "", "plays", "plays nan", "plays -1", "plays 17", "plays 0.1.2", "plays 0000000000", "plays 1e9", "plays inf",
        "waits", "waits ", "stops 1",
    ])
    func anythingElseIsNoReport(line: String) { expectEqual(OutputReport(line: line), nil) }

    @Test func aReasonIsOneShortLine() {
        let line = OutputReport.waits("a\nb\u{1B}[31m" + String(repeating: "x", count: 1000)).line
        #expect(!line.contains("\n") && !line.contains("\u{1B}") && line.count < 320)
        let read = OutputReport(line: "waits a\u{1B}[31m")
        expectEqual(read, .waits("a[31m"))
    }
}
