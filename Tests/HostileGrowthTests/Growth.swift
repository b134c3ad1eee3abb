import Foundation
import Synchronization
import SystemCalls
import TestSupport
import Testing

/// A kind of input that is made in any size.
struct HostileDocument: Sendable, CustomTestStringConvertible {
    /// What is special about it.
    let name: String
    /// The size of the smaller of two inputs: beyond all limits, so that what is not bounded shows.
    let unit: Int
    /// Makes an input of about as many bytes.
    let make: @Sendable (_ bytes: Int) -> String

    init(_ name: String, unit: Int = 16 << 10, _ make: @escaping @Sendable (_ bytes: Int) -> String) {
        self.name = name
        self.unit = unit
        self.make = make
    }

    var testDescription: String { name }
}

/// What a program's work for an input may grow to when the input doubles.
enum Growth {
    /// More than four times, because buffers and tables grow in steps; sixteen times is quadratic.
    private static let mostForFourTimes = 5.3
    /// Instructions that count as nothing: start-up differs by some thousands from run to run.
    private static let noise = 3_000_000.0

    /// Instructions for empty inputs: nearly all of them are the program's start, which each input of a kind has in common.
    private static let startCosts = Mutex<[String: Double]>([:])

    /// Runs a program on inputs of one and of four units. The work for an empty input is not counted.
    ///
    /// - Parameter launch: the program and its arguments for an input in that file.
    static func expectLinear(
        _ document: HostileDocument, empty: String, launch: (_ path: String) -> Launch
    ) throws {
        let scratch = try Scratch()
        func work(_ text: String) throws -> Double {
            Double(try Cachegrind.instructions(of: launch(try scratch.file("input", text))))
        }
        let start = try startCosts.withLock { $0[empty] } ?? work(empty)
        startCosts.withLock { $0[empty] = start }
        let smaller = try work(document.make(document.unit)) - start
        let larger = try work(document.make(4 * document.unit)) - start
        let growth = (larger - noise) / max(smaller, noise)
        #expect(growth <= mostForFourTimes, "\(document.name): \(Int(smaller)) and \(Int(larger)) instructions")
    }
}
