import Configuration
import Testing

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
        #expect(found.data.library == "/home/u/data/podcastd/library.db")
        #expect(found.cache == "/home/u/.cache/podcastd")
        #expect(found.socket == "/run/user/7/podcastd/control")
    }

    @Test func theServiceManagersFoldersWinOverXDGs() throws {
        let found = try places([
            "HOME": "/root", "STATE_DIRECTORY": "/var/lib/podcastd:/other", "CACHE_DIRECTORY": "/var/cache/podcastd",
            "RUNTIME_DIRECTORY": "/run/podcastd", "XDG_DATA_HOME": "/x", "XDG_CACHE_HOME": "/y",
        ])
        #expect(found.data.path == "/var/lib/podcastd")
        #expect(found.cache == "/var/cache/podcastd")
        #expect(found.socket == "/run/podcastd/control")
    }

    @Test func theSystemsInstanceHasTheSystemsPlaces() throws {
        let found = try places(["HOME": "/root"], isRoot: true)
        #expect(found.data.path == "/var/lib/podcastd")
        #expect(found.socket == "/run/podcastd/control")
    }

    @Test func rootFollowsXDGsVariablesIfTheyAreSet() throws {
        let found = try places(
            ["HOME": "/root", "XDG_DATA_HOME": "/root/data", "XDG_RUNTIME_DIR": "/run/user/0"], isRoot: true)
        #expect(found.data.path == "/root/data/podcastd")
        #expect(found.cache == "/var/cache/podcastd")
        #expect(found.socket == "/run/user/0/podcastd/control")
    }

    @Test func withoutXDGsVariableTheUsersRuntimeFolderIsUsed() throws {
        let found = try Places(
            settings: Settings(), configFile: nil, socket: nil, variable: { ["HOME": "/home/u"][$0] }, isRoot: false,
            runtime: "/run/user/7")
        #expect(found.socket == "/run/user/7/podcastd/control")
    }

    @Test func settingsWinOverTheEnvironmentAndRelativeXDGPathsDoNotCount() throws {
        var settings = Settings()
        try settings.set("daemon.data_dir", to: "/elsewhere", from: .commandLine)
        let found = try places(["HOME": "/home/u", "XDG_CACHE_HOME": "relative"], settings: settings, socket: "/s")
        #expect(found.data.path == "/elsewhere")
        #expect(found.cache == "/home/u/.cache/podcastd")
        #expect(found.socket == "/s")
    }
}
