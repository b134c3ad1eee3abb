import Foundation
import TestSupport
import Testing

@testable import DaemonCore

@Suite struct MetricTests {
    @Test func namesKeepToOpenMetrics() {
        let declarations = Metric.all
        expectEqual(Set(declarations.map(\.name)).count, declarations.count)
        for declaration in declarations {
            let name = declaration.name
            #expect(name.allSatisfy { $0.isASCII && ($0.isLowercase || $0 == "_") }, "\(name)")
            #expect(name.hasPrefix("podcastd_") || name.hasPrefix("process_"))
            for ending in ["_total", "_info"] {
                #expect(!name.hasSuffix(ending), "\(name)")
            }
            #expect(declaration.help.hasSuffix("."))
        }
    }

    @Test func theMetricsManualIsTheOneInDocs() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/METRICS.md").standardizedFileURL
        if ProcessInfo.processInfo.environment["RECORD"] == "1" {
            try Data(Metric.manual.utf8).write(to: file)
            Issue.record("recorded docs/METRICS.md")
            return
        }
        let recorded = String(decoding: (try? Data(contentsOf: file)) ?? Data(), as: UTF8.self)
        expectEqual(recorded, Metric.manual, "docs/METRICS.md differs; record it with RECORD=1")
    }
}
