import Configuration
import Testing
import TestSupport

@testable import DaemonCore

// The places are the daemon's own business, so they are tested from inside.
@Suite struct PlacesTests {
    private func places(
        _ variables: [String: String] = [:], settings: Settings = Settings(), socket: String? = nil,
        isRoot: Bool = false
    ) throws -> Places {
        try Places(
            settings: settings, configFile: nil, socket: socket, variable: { variables[$0] }, isRoot: isRoot)
    }

    @Test func aUsersInstanceKeepsToXDGsPlaces() throws {
        let found = try places([
            "HOME": "/home/u", "XDG_DATA_HOME": "/home/u/data", "XDG_RUNTIME_DIR": "/run/user/7",
        ])
        expectEqual(found.data.library, "/home/u/data/podcastd/library.db")
        expectEqual(found.cache, "/home/u/.cache/podcastd")
        expectEqual(found.socket, "/run/user/7/podcastd/control")
    }

    @Test func theServiceManagersFoldersWinOverXDGs() throws {
        let found = try places([
            "HOME": "/root", "STATE_DIRECTORY": "/var/lib/podcastd:/other", "CACHE_DIRECTORY": "/var/cache/podcastd",
            "RUNTIME_DIRECTORY": "/run/podcastd", "XDG_DATA_HOME": "/x", "XDG_CACHE_HOME": "/y",
        ])
        expectEqual(found.data.path, "/var/lib/podcastd")
        expectEqual(found.cache, "/var/cache/podcastd")
        expectEqual(found.socket, "/run/podcastd/control")
    }

    @Test func theSystemsInstanceHasTheSystemsPlaces() throws {
        let found = try places(["HOME": "/root"], isRoot: true)
        expectEqual(found.data.path, "/var/lib/podcastd")
        expectEqual(found.socket, "/run/podcastd/control")
    }

    @Test func rootFollowsXDGsVariablesIfTheyAreSet() throws {
        let found = try places(
            ["HOME": "/root", "XDG_DATA_HOME": "/root/data", "XDG_RUNTIME_DIR": "/run/user/0"], isRoot: true)
        expectEqual(found.data.path, "/root/data/podcastd")
        expectEqual(found.cache, "/var/cache/podcastd")
        expectEqual(found.socket, "/run/user/0/podcastd/control")
    }

    @Test func withoutXDGsVariableTheUsersRuntimeFolderIsUsed() throws {
        let found = try Places(
            settings: Settings(), configFile: nil, socket: nil, variable: { ["HOME": "/home/u"][$0] }, isRoot: false,
            runtime: "/run/user/7")
        expectEqual(found.socket, "/run/user/7/podcastd/control")
    }

    @Test func settingsWinOverTheEnvironmentAndRelativeXDGPathsDoNotCount() throws {
        var settings = Settings()
        try settings.set("daemon.data_dir", to: "/elsewhere", from: .commandLine)
        let found = try places(["HOME": "/home/u", "XDG_CACHE_HOME": "relative"], settings: settings, socket: "/s")
        expectEqual(found.data.path, "/elsewhere")
        expectEqual(found.cache, "/home/u/.cache/podcastd")
        expectEqual(found.socket, "/s")
    }
}
