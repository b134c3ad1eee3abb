import Foundation
import SystemCalls
import TestSupport

/// Python with the packages that tests drive programs with: scripts/setup installs them into `.build/python`.
enum RequiredPython {
    /// The interpreter.
    /// - Throws: `RequiredTool.Missing` if there is none that has the module.
    static func path(with module: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().path
        for python in [root + "/.build/python/bin/python3", "/usr/bin/python3"] where access(python, X_OK) == 0 {
            let result = try Programs.run(
                Launch(python, ["-c", "import \(module)"], environment: ["PATH=/usr/bin:/bin"]))
            if result.status == 0 { return python }
        }
        throw RequiredTool.Missing(
            description: "Python's module \(module) not found; install it into .build/python (scripts/setup test)")
    }

    /// A script of `Tests/Support/Python`.
    static func script(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Support/Python/\(name)").path
    }
}
