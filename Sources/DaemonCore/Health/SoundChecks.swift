internal import AudioOutput
internal import PodcastModel
internal import Reporting
internal import SystemCalls

enum OutputChecks {
    /// Judges the outputs that are enabled.
    /// - Parameter condition: opens the device for a moment.
    static func outputs(
        _ outputs: [OutputState], _ condition: (OutputSpecification) -> OutputCondition
    ) -> Finding {
        let findings = outputs.filter(\.isEnabled).compactMap { output -> Finding? in
            // It was valid when it was added.
            guard let specification = try? OutputSpecification(parsing: output.specification) else { return nil }
            let name = output.name + (output.name == specification.name ? "" : " (\(specification.name))")
            let note = specification.kind.note.map { "; \($0)" } ?? ""
            if let missing = specification.kind.missingProgram {
                return .problem("\(name): \(missing.name) is not installed", fix: "install \(missing.package)")
            }
            // Opening the device a second time would report it as in use.
            if output.phase == .ready || output.phase == .opening { return .ok("\(name) is in use by podcastd\(note)") }
            return switch condition(specification) {
            case .usable where output.phase == .failed:
                .problem(
                    "\(name): \(output.reason ?? "it failed")", fix: "podcastctl outputs shows when it plays again")
            case .usable: .ok("\(name) is available\(note)")
            case .unusable(_, let cause, let fix): .problem("\(name): \(cause)", fix: fix)
            }
        }
        if findings.isEmpty { return .notice("no output is enabled", fix: "podcastctl output enable NAME") }
        let problems = findings.filter { $0.severity == .problem }
        guard let first = problems.first else { return .ok(findings.map(\.text).joinedText("; ")) }
        return .problem(problems.map(\.text).joinedText("; "), fix: first.fix ?? "")
    }

    static func cards(_ found: [(card: String, condition: OutputCondition)]) -> Finding {
        func cards(_ obstacle: OutputCondition.Obstacle) -> [String] {
            found.filter { if case .unusable(obstacle, _, _) = $0.condition { true } else { false } }.map(\.card)
        }
        guard let first = found.first?.card else { return .ok("none") }
        if cards(.forbidden).count == found.count {
            return .notice(
                "podcastd has no permission to use any of \(found.count): \(first)",
                fix: "add podcastd's user to the group audio, then restart podcastd")
        }
        let busy = cards(.inUse)
        let inUse = busy.isEmpty ? "" : "; in use: \(busy.joinedText(", "))"
        return .ok("\(found.count) found: \(found.map(\.card).joinedText(", "))\(inUse)")
    }
}

enum DecoderCheck {
    /// Runs the program's self-test; blocks for up to eight seconds, because a slow disk may need seconds for FFmpeg's libraries.
    static func finding(executable: String) -> Finding {
        let program = executable.split(separator: "/").last.map(String.init) ?? executable
        do throws(SystemError) {
            let run = try CollectedOutput.of(Launch(executable, ["--self-test"]), limit: 4096, timeout: .seconds(8))
            return judge(program, run.status, words: String(utf8: run.errors), isCut: run.isCut)
        } catch {
            if let package = error.missingPackage {
                return .notice("\(program) is not installed", fix: "install \(package)")
            }
            return .problem("cannot run \(program): \(error)", fix: "install it in the directory of podcastd")
        }
    }

    /// - Parameters:
    ///   - words: standard error output of the self-test.
    ///   - isCut: whether the self-test was killed because it took too long.
    static func judge(_ program: String, _ status: TerminationStatus, words: String, isCut: Bool) -> Finding {
        let fix = "run \(program) --self-test by hand, or reinstall the package"
        let last = words.split(separator: "\n").last.map(String.init)
        switch status {
        case .exited(0): return .ok("\(program) starts, enters its sandbox and decodes")
        case .exited: return .problem(last ?? "\(program) failed: \(status)", fix: fix)
        case .signaled where isCut: return .problem("\(program) hangs", fix: fix)
        case .signaled:
            return .problem("\(program) was killed by \(status), perhaps by its own system call filter", fix: fix)
        }
    }
}
