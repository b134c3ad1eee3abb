import Foundation

/// Programs that a test writes and starts at once. A separate process writes the programs: a descriptor of this process that is open for
/// writing would be shared by each child between fork(2) and execve(2), and until then starting the program fails with ETXTBSY.
package enum ExecutableFile {
    package static func copy(_ original: String, to path: String) throws {
        let process = try Process.run(
            URL(filePath: "/usr/bin/install"), arguments: ["-m", "700", original, path])
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    package static func write(script: String, to path: String) throws {
        let text = path + ".text"
        try "#!/bin/sh\n\(script)\n".write(toFile: text, atomically: false, encoding: .utf8)
        defer { unlink(text) }
        try copy(text, to: path)
    }
}
