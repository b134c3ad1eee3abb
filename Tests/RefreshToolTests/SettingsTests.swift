import CommandLineTool
import Foundation
import HTTP
import LoopbackServer
import PodcastModel
import Testing
import TestSupport

/// `podcast-refresh` reads the files that the daemon reads.
@Suite(.ownThread) struct SettingsTests {
    private let rig: RefreshRig
    private let feed: LoopbackServer.Endpoint

    init() throws {
        rig = try RefreshRig()
        feed = try rig.publish("two-episodes.xml")
    }

    /// Writes a file of settings and gives its path.
    private func write(_ text: String, to name: String) throws -> String {
        let path = rig.file(name)
        let folder = URL(filePath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
        return path
    }

    @Test func theConfigFileIsFoundAtTheUsualPlaceOrNamed() throws {
        rig.variables = ["HOME": rig.file("home")]
        _ = try write("[refresh]\njobs = 3\n", to: "home/.config/podcastd/podcastd.conf")
        try expectEqual(rig.run("add", feed.url).status, .success)
        expectEqual(rig.networks.last?.maximumIdleConnections, 3)
        rig.variables["XDG_CONFIG_HOME"] = rig.file("xdg")
        _ = try write("[refresh]\njobs = 4\n", to: "xdg/podcastd/podcastd.conf")
        try expectEqual(rig.run("--force").status, .success)
        expectEqual(rig.networks.last?.maximumIdleConnections, 4)
        let named = try write("[refresh]\njobs = 5\n", to: "named.conf")
        try expectEqual(rig.run("--force", "--config", named).status, .success)
        expectEqual(rig.networks.last?.maximumIdleConnections, 5)
    }

    @Test func theCommandLineWinsOverClientsAndTheyOverTheConfigFile() throws {
        let config = try write("[refresh]\njobs = 3\n[network]\nproxy = \n", to: "podcastd.conf")
        try expectEqual(rig.run("--config", config, "add", feed.url).status, .success)
        _ = try write("[refresh]\njobs = 7\n", to: "data/settings")
        try expectEqual(rig.run("--config", config, "--force").status, .success)
        expectEqual(rig.networks.last?.maximumIdleConnections, 7)
        try expectEqual(rig.run("--config", config, "--force", "--jobs", "9").status, .success)
        expectEqual(rig.networks.last?.maximumIdleConnections, 9)
    }

    @Test func theLibrarysFolderMayStandInTheConfigFile() throws {
        let config = try write("[daemon]\ndata_dir = \(rig.file("elsewhere"))\n", to: "podcastd.conf")
        try expectEqual(rig.run(["--config", config, "add", feed.url]).status, .success)
        #expect(FileManager.default.fileExists(atPath: rig.file("elsewhere/library.db")))
        try expectEqual(rig.run(["--config", config, "--data-dir", rig.data, "add", feed.url]).status, .success)
        #expect(FileManager.default.fileExists(atPath: rig.data + "/library.db"))
    }

    @Test func everythingWrongInTheConfigFileIsToldWithItsLine() throws {
        let config = try write("[refresh]\njobs = many\n[network]\ncolour = red\n", to: "podcastd.conf")
        try expectOutcome(
            rig.run("--config", config), .configuration, errors: "\(config):2: refresh.jobs must be a whole number",
            "\(config):4: unknown setting colour in [network]")
        #expect(!FileManager.default.fileExists(atPath: rig.data + "/library.db"))
        try expectEqual(rig.run("--config", rig.file("missing.conf")).status, .configuration)
    }

    @Test func aWrongLineThatAClientLeftIsToldAndPassedOver() throws {
        let settings = try write("[refresh]\njobs = 7\ncolour = red\n", to: "data/settings")
        try expectOutcome(
            rig.run("add", feed.url), .success, errors: "\(settings):3: unknown setting colour in [refresh]")
        expectEqual(rig.networks.last?.maximumIdleConnections, 7)
        try expectEqual(rig.run("--quiet", "--force").errors, "")
    }

    @Test func aFileIsInspectedWhateverTheSettingsSay() throws {
        let config = try write("nonsense", to: "podcastd.conf")
        let path = RefreshRig.path(of: "two-episodes.xml")
        try expectEqual(rig.run("--config", config, "inspect", path).status, .success)
        try expectEqual(rig.run("--config", config, "inspect", feed.url).status, .configuration)
    }

    @Test func certificatesThatCannotBeReadAreToldOnce() throws {
        let config = try write("[network]\nca_file = \(rig.file("none.pem"))\n", to: "podcastd.conf")
        try expectOutcome(
            rig.run("--config", config, "add", feed.url), .configuration,
            errors: "network.ca_file: \(rig.file("none.pem")): No such file")
    }
}
