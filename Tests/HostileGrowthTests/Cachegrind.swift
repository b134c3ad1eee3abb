import Foundation
import SystemCalls
import TestSupport

/// The work of programs, counted in instructions of the program and its libraries (not of the kernel): the same on a busy
/// machine as on an idle one.
enum Cachegrind {
    struct NotCounted: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program to its end under valgrind's cachegrind, which counts faster than callgrind. Blocks; takes some thirty times
    /// as long as the program alone.
    ///
    /// - Parameters:
    ///   - launch: the program, its arguments and its environment.
    ///   - timeout: time until it is killed, which is a failure; long, because a busy machine takes many times as long as an idle one.
    static func instructions(of launch: Launch, timeout: Duration = .seconds(900)) throws -> Int {
        var counted = launch
        counted.executable = try RequiredTool.valgrind.path()
        // Only counts: no simulated cache, and the profile goes to /dev/null.
        counted.arguments =
            ["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", launch.executable]
            + launch.arguments
        let run = try CollectedOutput.of(counted, limit: 1 << 20, timeout: timeout)
        let errors = String(decoding: run.errors, as: UTF8.self)
        // "==123== I   refs:      4,567", with one space since valgrind 3.27.
        let line = errors.split(separator: "\n").last { $0.contains("== I ") && $0.contains(" refs:") }
        // A program that was killed has no such line.
        guard let count = line?.split(separator: " ").last.flatMap({ Int($0.replacing(",", with: "")) }) else {
            throw NotCounted(description: "\(launch.executable) was not counted (\(run.status)): \(errors)")
        }
        return count
    }
}
