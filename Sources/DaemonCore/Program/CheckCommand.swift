internal import CommandLineTool
internal import Configuration
internal import EpisodeCache
internal import JSON
internal import Library
internal import LibraryModel
internal import PodcastModel
internal import SystemCalls

/// `podcastd check`: checks library and cache while no daemon uses them.
enum CheckCommand {
    static let repair = OptionDeclaration(
        flag: "repair", help: "Repair damage where possible, and keep a copy of the damaged files.")
    static let json = OptionDeclaration(flag: "json", help: "Print the results as JSON, for scripts.")

    static let declaration = SubcommandDeclaration(
        ["check"], "Check the library while the daemon is stopped.", group: "Commands",
        details: [
            "Verifies the database, its derived data and the episode cache. Prints one line per check, with a fix. The exit "
                + "status is 0 if everything is fine or repaired, and 65 if something is damaged."
        ],
        options: [repair, json])

    static func run(
        _ arguments: ParsedArguments, _ places: Places, _ output: ToolOutput
    ) throws(ToolFailure) -> ExitStatus {
        let results = try results(places, isRepairing: arguments.isSet(repair))
        let isDamaged = results.contains { $0.outcome == .damaged }
        if arguments.isSet(json) {
            try output.line(report(results, places).text)
        } else {
            for result in results { try output.line(SafeText.line(line(result))) }
        }
        return isDamaged ? .badData : .success
    }

    private static func results(
        _ places: Places, isRepairing: Bool
    ) throws(ToolFailure) -> [CheckResult] {
        guard FileAccess().isAllowed(places.data.library) else {
            throw ToolFailure(
                .noInput, "no library in \(places.data.path)", hint: "give its folder with --data-dir")
        }
        let daemon = try LibraryOpening.lock(places)
        let refresher = try LibraryOpening.lock(places, as: .refresher)
        defer { withExtendedLifetime((daemon, refresher)) {} }
        do throws(LibraryError) {
            let library = try LibraryChecker(
                path: places.data.library, isRepairing: isRepairing, now: .now
            ).run()
            return library + [cache(places, isRepairing: isRepairing)]
        } catch {
            throw ToolFailure(starting: error)
        }
    }

    private static func cache(_ places: Places, isRepairing: Bool) -> CheckResult {
        let report = CacheReport(directory: places.cache, isRepairing: isRepairing)
        if report.damaged.isEmpty { return CheckResult("cache", .fine, "\(report.episodes) episodes") }
        let found = "\(report.damaged.count) of \(report.episodes) episodes have damaged indexes"
        return isRepairing
            ? CheckResult("cache", .repaired, "\(found); they were removed and will be fetched again when played")
            : CheckResult("cache", .damaged, found, advice: "run 'podcastd check --repair'")
    }

    private static func line(_ result: CheckResult) -> String {
        let name = result.name + String(repeating: " ", count: max(1, 12 - result.name.count))
        let outcome = result.outcome.rawValue + String(repeating: " ", count: 10 - result.outcome.rawValue.count)
        return outcome + name + result.detail + (result.advice.map { "; \($0)" } ?? "")
    }

    private static func report(_ results: [CheckResult], _ places: Places) -> JSONValue {
        let worst: CheckResult.Outcome =
            results.contains { $0.outcome == .damaged }
            ? .damaged : results.contains { $0.outcome == .repaired } ? .repaired : .fine
        return [
            "library": .string(places.data.library), "outcome": .string(worst.rawValue),
            "checks": .array(
                results.map { result in
                    [
                        "name": .string(result.name), "outcome": .string(result.outcome.rawValue),
                        "detail": .string(result.detail), "advice": result.advice.map { .string($0) } ?? .null,
                    ]
                }),
        ]
    }
}
