internal import CommandLineTool
internal import Configuration
internal import ControlLanguage
internal import EpisodeCache
internal import JSON
internal import Library
internal import PodcastModel
internal import Reporting
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
        if arguments.isSet(json) {
            let report: JSONValue = ["library": .string(places.data.library), "checks": results.json]
            output.line(report.text)
        } else {
            for result in results { output.line(SafeText.line(line(result))) }
        }
        return results.contains { $0.severity == .problem } ? .badData : .success
    }

    private static func results(_ places: Places, isRepairing: Bool) throws(ToolFailure) -> [Finding] {
        guard FileAccess().isAllowed(places.data.library) else {
            throw ToolFailure(.noInput, "no library in \(places.data.path)", hint: "give its folder with --data-dir")
        }
        let isReadOnly =
            !FileAccess.write.isAllowed(places.data.library)
            || !FileAccess([.write, .execute]).isAllowed(places.data.path)
        if isReadOnly { try refuseIfReadOnlyIsTooLittle(places, isRepairing: isRepairing) }
        // A read-only library cannot be opened by a daemon, and a lock file could not be created.
        let daemon = isReadOnly ? nil : try LibraryOpening.lock(places)
        let refresher = isReadOnly ? nil : try LibraryOpening.lock(places, as: .refresher)
        defer { withExtendedLifetime((daemon, refresher)) {} }
        do throws(LibraryError) {
            let library = try LibraryChecker(
                path: places.data.library, isRepairing: isRepairing, isReadOnly: isReadOnly, now: .now
            ).run()
            return library + [cache(places, isRepairing: isRepairing)]
        } catch { throw ToolFailure(starting: error) }
    }

    private static func refuseIfReadOnlyIsTooLittle(_ places: Places, isRepairing: Bool) throws(ToolFailure) {
        let log = places.data.library + "-wal"
        if isRepairing {
            throw ToolFailure(
                .noPermission, "cannot repair \(places.data.library), because it is read-only",
                hint: "fix its permissions, or mount its disk for writing")
        }
        if ((try? FileStatus(path: log))?.size ?? 0) > 0 {
            throw ToolFailure(
                .noPermission,
                "cannot check \(places.data.library), because it is read-only and \(log) has newer changes",
                hint: "copy the folder to a place that you can write to, then use --data-dir")
        }
    }

    private static func cache(_ places: Places, isRepairing: Bool) -> Finding {
        let report = CacheReport(directory: places.cache, isRepairing: isRepairing)
        if report.damaged.isEmpty { return Finding("cache", .ok, "\(report.episodes) episodes") }
        let found = "\(report.damaged.count) of \(report.episodes) episodes have damaged indexes"
        return isRepairing
            ? Finding("cache", .repaired, "\(found); they were removed and will be fetched again when played")
            : Finding("cache", .problem, found, fix: "run 'podcastd check --repair'")
    }

    private static func line(_ result: Finding) -> String {
        let word = result.severity == .problem ? "damaged" : result.severity.rawValue
        let outcome = word + String(repeating: " ", count: 10 - word.count)
        if result.text.isEmpty { return outcome + result.check }
        let name = result.check + String(repeating: " ", count: max(1, 12 - result.check.count))
        return outcome + name + result.text + (result.fix.map { "; \($0)" } ?? "")
    }
}
