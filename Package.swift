// swift-tools-version: 6.2
import PackageDescription

// PODCASTD_WARNINGS=errors, which the project's own checks set, makes warnings errors. Users have other compilers and libraries, which
// may warn of something new.
//
// The module graph. Each row names what a module imports; `Tests/ArchitectureTests` compares the import lines with these rows, because
// the build flags alone let a target import what it only reaches through another one.

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (Context.environment["PODCASTD_WARNINGS"] == "errors" ? [.treatAllWarnings(as: .error)] : [])

/// Without the module of regular expressions: Sources/PodcastModel/Text/Searching.swift says why.
let plainStrings: [SwiftSetting] = [
    .unsafeFlags(["-Xfrontend", "-disable-implicit-string-processing-module-import"])
]

/// Targets that import C say at each place that it is unsafe, and why it holds.
let strictWithC: [SwiftSetting] = strict + [.strictMemorySafety()]

/// One-shot clients are started often: a fully static start costs a thirtieth of a dynamic one. Functions of one code whose address
/// nobody takes become one, which saves 0.25 MiB of 12.4.
let fullyStatic: [LinkerSetting] = [
    .unsafeFlags(["-static-executable", "-Xlinker", "--icf=safe"], .when(configuration: .release))
]

/// XMLEvents loads libxml2, but SwiftPM passes "-lxml2" to the linker because pkg-config says so.
let withoutLibXML2: [LinkerSetting] = [
    .unsafeFlags(["-Xlinker", "--remap-inputs=*/libxml2.so=/dev/null"], .when(configuration: .release))
]

/// The decoder starts with libstdc++ linked in: Sources/Programs/link/libstdc++.so says why.
let staticCxx: [LinkerSetting] = [
    .unsafeFlags(
        ["-L", "\(Context.packageDirectory)/Sources/Programs/link", "-Xclang-linker", "-static-libgcc"],
        .when(configuration: .release))
]

/// Packed relocations and no exported symbols: saves about 1 MB of reads at each start.
let lean: [LinkerSetting] = [
    .unsafeFlags(
        ["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs", "-Xlinker", "--no-export-dynamic"],
        .when(configuration: .release))
]

func cLibrary(_ name: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)")
}

func cLibrary(_ name: String, pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

func wrapper(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/Wrappers/\(name)", exclude: ["README.md"],
        swiftSettings: strictWithC + plainStrings)
}

func module(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies, path: "Sources/\(name)", exclude: ["README.md"],
        swiftSettings: strict + plainStrings)
}

/// A module whose speed nobody notices: small instead of fast, which makes all programs together more than 2.3 MiB smaller.
func smallModule(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    let target = module(name, dependencies)
    target.swiftSettings?.append(.unsafeFlags(["-Osize"], .when(configuration: .release)))
    return target
}

/// A module that contains the wrapper of a C library.
func withC(_ target: Target) -> Target {
    target.swiftSettings?.append(.strictMemorySafety())
    return target
}

func program(_ name: String, _ dependencies: [Target.Dependency], linker: [LinkerSetting] = lean) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, path: "Sources/Programs/\(name)",
        swiftSettings: strict + plainStrings,
        linkerSettings: linker)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], resources: Bool = false) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: ["TestSupport"] + dependencies, path: "Tests/\(name)Tests",
        exclude: resources ? ["Fixtures"] : [], swiftSettings: strict)
}

let package = Package(
    name: "podcastd",
    targets: [
        // C libraries: a module map and a shim header, nothing else.
        cLibrary("CLinux"),
        cLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        cLibrary("CCurl"),
        cLibrary("CPulse"),
        cLibrary("CCurses"),
        cLibrary("CLibedit", pkgConfig: "libedit", apt: "libedit-dev"),
        cLibrary("CLibXML2", pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
        cLibrary("CMPG123", pkgConfig: "libmpg123", apt: "libmpg123-dev"),
        cLibrary(
            "CFFmpeg", pkgConfig: "libavformat libavcodec libswresample libswscale libavutil", apt: "libavformat-dev"),
        cLibrary("CCrypto"),
        cLibrary("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        cLibrary("CSonic"),
        cLibrary("CEBUR128", pkgConfig: "libebur128", apt: "libebur128-dev"),
        cLibrary("CShout"),
        cLibrary("CSoxr", pkgConfig: "soxr", apt: "libsoxr-dev"),
        cLibrary("CSeccomp", pkgConfig: "libseccomp", apt: "libseccomp-dev"),
        cLibrary("CMicroHTTPD"),
        cLibrary("CSystemd"),
        cLibrary("CXCrypt", pkgConfig: "libxcrypt", apt: "libcrypt-dev"),
        cLibrary("CQRencode"),
        cLibrary("CZlib"),

        // Wrappers: a C library is imported by one folder only. JSON reads bytes by pointers, and has the same settings.
        wrapper("SystemCalls", ["CLinux", "PodcastModel"]),
        wrapper("JSON", ["PodcastModel"]),
        wrapper("SQLite", ["CSQLite"]),
        wrapper("Terminal", ["CCurses", "CLibedit", "SystemCalls"]),
        wrapper("HTTP", ["CCurl", "PodcastModel", "SystemCalls"]),
        wrapper("XMLEvents", ["CLibXML2"]),
        wrapper("Digest", ["CCrypto"]),
        wrapper("Secrets", ["CQRencode", "CXCrypt"]),
        wrapper("SoundDevices", ["CALSA", "CPulse", "CSoxr", "MediaPorts", "PodcastModel", "SystemCalls"]),
        wrapper("SoundFilters", ["CEBUR128", "CSonic"]),
        wrapper("HTTPServing", ["CMicroHTTPD", "CZlib", "PodcastModel", "SystemCalls"]),
        wrapper("SessionBus", ["CSystemd", "PodcastModel", "SystemCalls"]),

        // Values, ports, and what every program needs.
        module("PodcastModel", []),
        module("MediaPorts", ["PodcastModel"]),
        module("Reporting", ["PodcastModel", "SystemCalls"]),
        module("SerialThreads", ["PodcastModel", "SystemCalls"]),
        smallModule("CommandLineTool", ["PodcastModel", "SystemCalls"]),
        smallModule("Configuration", ["CommandLineTool", "PodcastModel", "Reporting", "SystemCalls"]),

        // Feeds.
        module("FeedDocuments", ["Digest", "JSON", "PodcastModel", "SystemCalls", "XMLEvents"]),
        smallModule(
            "RefreshTool",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol",
                "FeedDocuments", "HTTP", "JSON", "Library", "PodcastModel", "Presentation", "Reporting", "SQLite",
                "SystemCalls",
            ]),

        // Library.
        module("Library", ["Digest", "HTTP", "JSON", "PodcastModel", "SQLite", "SystemCalls"]),

        // Sound.
        module("EpisodeCache", ["HTTP", "MediaPorts", "PodcastModel", "SystemCalls"]),
        module("DecoderProtocol", ["MediaPorts", "PodcastModel", "SystemCalls"]),
        module("DecoderHost", ["DecoderProtocol", "MediaPorts", "PodcastModel", "SystemCalls"]),
        module(
            "DecoderSandbox",
            ["CSeccomp", "DecoderProtocol", "MediaPorts", "PodcastModel", "SoundFilters", "SystemCalls"]),
        withC(module("MPEGDecoding", ["CMPG123", "MediaPorts", "PodcastModel"])),
        withC(module("AVDecoding", ["CFFmpeg", "MediaPorts", "PodcastModel"])),
        module(
            "AudioOutput",
            ["HTTP", "JSON", "MediaPorts", "PodcastModel", "SerialThreads", "SoundDevices", "SystemCalls"]),
        module("Playback", ["MediaPorts", "PodcastModel", "Reporting", "SerialThreads"]),
        smallModule(
            "PlayTool",
            [
                "AudioOutput", "CommandLineTool", "DecoderHost", "Digest", "EpisodeCache", "HTTP", "JSON", "MediaPorts",
                "Playback", "PodcastModel", "Reporting", "SystemCalls",
            ]),

        // Control.
        module("ControlLanguage", ["JSON", "PodcastModel"]),
        smallModule("ControlProtocol", ["ControlLanguage", "JSON", "PodcastModel", "Reporting"]),
        module("LineServing", ["ControlLanguage", "JSON", "PodcastModel", "SystemCalls"]),
        smallModule(
            "ControlClient", ["ControlLanguage", "ControlProtocol", "JSON", "PodcastModel", "Reporting", "SystemCalls"]),

        // The daemon.
        smallModule(
            "DaemonCore",
            [
                "AudioOutput", "CommandLineTool", "Configuration", "ControlLanguage", "ControlProtocol", "DecoderHost",
                "EpisodeCache", "HTTP", "JSON", "Library", "LineServing", "MediaPorts", "Playback", "PodcastModel",
                "Reporting", "SQLite", "SerialThreads", "SystemCalls",
            ]),

        // Clients.
        smallModule(
            "Presentation", ["CommandLineTool", "ControlProtocol", "PodcastModel", "Reporting"]),
        smallModule(
            "ControlTool",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "JSON",
                "PodcastModel", "Presentation", "Reporting", "SystemCalls",
            ]),
        smallModule(
            "TerminalTool",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol",
                "ControlTool", "JSON", "PodcastModel", "Presentation", "SystemCalls", "Terminal",
            ]),
        smallModule(
            "GatewayKit",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "Digest",
                "HTTPServing", "JSON", "PodcastModel", "Reporting", "Secrets", "SystemCalls",
            ]),
        smallModule(
            "MCPGateway",
            [
                "CommandLineTool", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit", "JSON",
                "PodcastModel", "SystemCalls",
            ]),
        smallModule(
            "MPDGateway",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit",
                "LineServing", "PodcastModel", "Reporting", "Secrets", "SystemCalls",
            ]),
        smallModule(
            "WebGateway",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "Digest",
                "GatewayKit", "HTTP", "HTTPServing", "JSON", "PodcastModel", "Secrets", "SessionBus", "SystemCalls",
            ]),
        smallModule(
            "MPRISGateway",
            [
                "CommandLineTool", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit", "JSON",
                "PodcastModel", "SessionBus", "SystemCalls",
            ]),
        withC(
            smallModule(
                "OutputGateway",
                [
                    "CShout", "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol",
                    "GatewayKit", "HTTP", "HTTPServing", "PodcastModel", "SystemCalls", "XMLEvents",
                ])),
        smallModule(
            "HookGateway",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit",
                "JSON", "PodcastModel", "SystemCalls",
            ]),
        smallModule(
            "SyncGateway",
            [
                "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit",
                "HTTP", "JSON", "PodcastModel", "SessionBus", "SystemCalls",
            ]),

        // Executables: arguments, signals, exit status.
        // One program has several names where one copy of Swift's runtime saves 6 MiB for each: scripts/link-programs makes the links.
        program("podcastd", ["CommandLineTool", "DaemonCore", "PlayTool"]),
        program(
            "podcast-gateways",
            [
                "CommandLineTool", "HookGateway", "MCPGateway", "MPDGateway", "MPRISGateway", "OutputGateway",
                "SyncGateway", "SystemCalls", "WebGateway",
            ], linker: lean + withoutLibXML2),
        program("podcastctl", ["ControlTool"], linker: fullyStatic),
        program("podcast-tui", ["TerminalTool"]),
        program("podcast-refresh", ["RefreshTool"], linker: lean + withoutLibXML2),
        program(
            "podcast-decode", ["DecoderProtocol", "DecoderSandbox", "MPEGDecoding", "MediaPorts"],
            linker: lean + staticCxx),
        program("podcast-decode-av", ["AVDecoding", "DecoderProtocol", "DecoderSandbox", "PodcastModel"]),

        .target(
            name: "MachineSupport", dependencies: ["CLinux", "PodcastModel", "SystemCalls"],
            path: "Tests/Support/MachineSupport", exclude: ["README.md"], swiftSettings: strictWithC),

        // A scripted HTTP server on loopback that misbehaves as a test asks; the demo serves its samples with it.
        .target(
            name: "LoopbackServer", dependencies: ["MachineSupport", "PodcastModel", "SystemCalls"],
            path: "Tests/Support/LoopbackServer",
            exclude: ["README.md"], swiftSettings: strict),
        .executableTarget(
            name: "podcast-demo-server",
            dependencies: ["LoopbackServer", "CommandLineTool", "PodcastModel", "SystemCalls"],
            path: "Tests/Support/podcast-demo-server", swiftSettings: strict, linkerSettings: lean),

        // Code that several test targets share. TestSupport is not a test target, because test targets cannot import test targets.
        .target(
            name: "TestSupport",
            dependencies: [
                "AudioOutput", "ControlClient", "ControlLanguage", "ControlProtocol", "LineServing", "HTTP", "JSON",
                "LoopbackServer", "MachineSupport", "MediaPorts", "PodcastModel", "Reporting", "SystemCalls",
            ], path: "Tests/Support/TestSupport", swiftSettings: strict),

        // A decoder that breaks at a place of the file, for tests of the sandbox and of the supervision.
        .executableTarget(
            name: "faulty-decoder", dependencies: ["DecoderProtocol", "DecoderSandbox", "MediaPorts", "PodcastModel"],
            path: "Tests/Support/faulty-decoder", swiftSettings: strict, linkerSettings: lean),

        tests("JSON", ["JSON"]),
        tests("SQLite", ["SQLite"]),
        tests("HTTP", ["HTTP", "LoopbackServer", "MachineSupport", "PodcastModel", "SystemCalls"]),
        tests("XMLEvents", ["XMLEvents"]),
        tests("MPEGAudio", ["MPEGDecoding"]),
        tests("Digest", ["Digest"]),
        tests("QRCodes", ["Secrets"]),
        tests("PodcastModel", ["PodcastModel"]),
        tests("EpisodeRules", ["PodcastModel"], resources: true),
        tests("LibraryModel", ["Library", "PodcastModel"]),
        tests("XMLRepair", ["FeedDocuments", "PodcastModel"]),
        tests(
            "TerminalTool",
            [
                "TerminalTool", "CommandLineTool", "Configuration", "ControlClient", "ControlLanguage",
                "ControlProtocol", "JSON", "PodcastModel", "SystemCalls", "Terminal",
            ], resources: true),
        .target(
            name: "CRecordingVFS", path: "Tests/Support/CRecordingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
        tests(
            "Library",
            ["Library", "CRecordingVFS", "DaemonCore", "PodcastModel", "Reporting", "SQLite", "SystemCalls"]),
        tests("FeedMerging", ["Library", "PodcastModel"]),
        tests("FeedDocuments", ["FeedDocuments", "JSON", "PodcastModel"], resources: true),
        tests(
            "RefreshTool",
            [
                "RefreshTool", "CommandLineTool", "ControlLanguage", "ControlProtocol", "FeedDocuments", "LineServing",
                "PodcastModel", "Library", "HTTP", "JSON", "DaemonCore", "LoopbackServer", "Reporting", "SQLite",
                "SystemCalls", "podcast-refresh",
            ], resources: true),
        tests("Seccomp", ["DecoderSandbox", "SystemCalls"]),
        tests("DecoderProtocol", ["DecoderProtocol", "MediaPorts", "PodcastModel", "SystemCalls"]),
        tests("MediaPorts", ["MediaPorts", "PodcastModel"]),
        tests("MPEGDecoding", ["MPEGDecoding", "MediaPorts", "PodcastModel"], resources: true),
        tests("AVDecoding", ["AVDecoding", "MediaPorts", "PodcastModel"], resources: true),
        tests("SpeechDSP", ["DecoderSandbox", "MediaPorts", "PodcastModel", "SoundFilters"]),
        tests("DecoderSandbox", ["DecoderSandbox", "DecoderProtocol", "MediaPorts", "PodcastModel", "SystemCalls"]),
        tests(
            "DecoderHost",
            [
                "DecoderHost", "DecoderProtocol", "DecoderSandbox", "MediaPorts", "PodcastModel", "SystemCalls",
                "podcast-decode", "podcast-decode-av",
            ], resources: true),
        .target(name: "CAllocationCount", path: "Tests/Support/CAllocationCount"),
        tests(
            "AudioOutput",
            ["AudioOutput", "CAllocationCount", "MachineSupport", "MediaPorts", "PodcastModel", "SystemCalls"]),
        tests("Playback", ["Playback", "MediaPorts", "PodcastModel", "Reporting"]),
        tests(
            "PlayTool",
            [
                "PlayTool", "JSON", "LoopbackServer", "MediaPorts", "Playback", "PodcastModel", "Reporting",
                "SystemCalls", "podcast-decode", "podcastd",
            ], resources: true),
        tests("ControlLanguage", ["ControlLanguage", "JSON", "PodcastModel"]),
        tests("ControlProtocol", ["ControlProtocol", "ControlLanguage", "JSON", "PodcastModel", "Reporting"]),
        tests("MCPGateway", ["MCPGateway", "ControlClient", "ControlLanguage", "JSON"]),
        tests("HTTPServing", ["HTTPServing", "PodcastModel", "SystemCalls"]),
        tests("PasswordHashing", ["Secrets"]),
        tests(
            "WebGateway",
            [
                "WebGateway", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit",
                "HTTPServing", "JSON", "Secrets", "PodcastModel", "SystemCalls",
            ]),
        tests("GatewayKit", ["GatewayKit", "JSON", "PodcastModel"]),
        tests(
            "MPDGateway",
            [
                "MPDGateway", "Configuration", "ControlLanguage", "ControlProtocol", "JSON", "LineServing", "Secrets",
                "PodcastModel", "SystemCalls",
            ]),
        tests(
            "HookGateway",
            [
                "HookGateway", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "JSON",
                "PodcastModel", "SystemCalls",
            ]),
        tests(
            "SyncGateway",
            [
                "SyncGateway", "CRecordingVFS", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol",
                "PodcastModel", "GatewayKit", "JSON", "Library", "SystemCalls",
            ]),
        tests(
            "MPRISGateway",
            [
                "MPRISGateway", "ControlClient", "ControlLanguage", "ControlProtocol", "PodcastModel", "SessionBus",
                "SystemCalls",
            ]),
        tests(
            "OutputGateway",
            [
                "OutputGateway", "CommandLineTool", "ControlClient", "ControlLanguage", "ControlProtocol", "GatewayKit",
                "JSON", "LoopbackServer", "PodcastModel", "SystemCalls",
            ]),
        tests("LineServing", ["LineServing", "MachineSupport", "PodcastModel", "SystemCalls"]),
        tests(
            "ControlSocket",
            [
                "LineServing", "ControlClient", "ControlLanguage", "ControlProtocol", "JSON", "MachineSupport",
                "PodcastModel", "SystemCalls",
            ]),
        tests(
            "ControlClient",
            ["ControlClient", "ControlLanguage", "ControlProtocol", "JSON", "PodcastModel", "Reporting", "SystemCalls"]),
        tests("Configuration", ["CommandLineTool", "Configuration", "PodcastModel"]),
        tests("SystemCalls", ["SystemCalls", "PodcastModel"]),
        tests("SerialThreads", ["SerialThreads", "PodcastModel", "SystemCalls"]),
        tests("FeedFiles", ["Library", "HTTP", "PodcastModel", "SystemCalls"]),
        tests(
            "Refreshing",
            [
                "ControlLanguage", "DaemonCore", "Library", "JSON", "PodcastModel", "Reporting", "SerialThreads",
                "SystemCalls",
            ]),
        tests(
            "Downloads",
            ["DaemonCore", "EpisodeCache", "Library", "MediaPorts", "PodcastModel", "Reporting", "SerialThreads"]),
        tests(
            "LibraryUpkeep",
            ["DaemonCore", "ControlLanguage", "Library", "PodcastModel", "SQLite", "SystemCalls"]),
        tests(
            "EpisodeCache",
            ["EpisodeCache", "HTTP", "LoopbackServer", "MachineSupport", "MediaPorts", "PodcastModel", "SystemCalls"]),
        tests(
            "Queueing",
            [
                "DaemonCore", "Configuration", "Library", "MediaPorts", "Playback", "PodcastModel", "Reporting",
                "SQLite", "SerialThreads", "SystemCalls",
            ]),
        tests("Reporting", ["Reporting", "PodcastModel", "SystemCalls"]),
        tests(
            "DaemonState",
            [
                "AudioOutput", "Configuration", "ControlLanguage", "ControlProtocol", "DaemonCore", "HTTP", "JSON",
                "Library", "MediaPorts", "Playback", "PodcastModel", "Reporting", "SystemCalls",
            ]),
        tests("CommandLineTool", ["CommandLineTool", "PodcastModel", "SystemCalls"], resources: true),
        tests(
            "ControlTool",
            [
                "ControlTool", "CommandLineTool", "ControlLanguage", "ControlProtocol", "LineServing", "JSON",
                "PodcastModel", "Reporting", "SystemCalls",
            ], resources: true),
        tests(
            "DaemonCore",
            [
                "DaemonCore", "AudioOutput", "Configuration", "ControlLanguage", "ControlProtocol", "PodcastModel",
                "Library", "JSON", "MediaPorts", "Playback", "Reporting", "SerialThreads", "SystemCalls",
            ]),
        tests(
            "Programs",
            [
                "AudioOutput", "Configuration", "ControlClient", "ControlLanguage", "ControlProtocol", "LineServing",
                "DaemonCore", "DecoderHost", "EpisodeCache", "HTTP", "JSON", "Library", "LoopbackServer",
                "MPEGDecoding", "MachineSupport", "MediaPorts", "Playback", "PodcastModel", "Reporting", "SQLite",
                "SerialThreads", "SystemCalls",
            ]),
        tests(
            "Story",
            [
                "ControlClient", "ControlLanguage", "ControlProtocol", "JSON", "LoopbackServer", "MachineSupport",
                "PodcastModel", "Reporting", "SQLite", "SystemCalls",
            ]),
        tests("HostileGrowth", ["SystemCalls", "podcast-refresh"]),
        tests("Architecture", [], resources: true),
    ],
    swiftLanguageModes: [.v6]
)

/// Parts of the package that can be built alone: `PODCASTD_SUBSET` names one, or targets, separated by commas.
let subsets: [String: [String]] = [
    // The programs without TestSupport, which imports Testing: the static libraries of Swift do not contain Testing.
    "programs": package.targets.filter { $0.type == .executable }.map(\.name),
    // The programs that scripts/demo starts.
    "demo": ["podcast-decode", "podcast-demo-server", "podcast-refresh", "podcastctl", "podcastd"],
    // Tests in which a sanitizer is most likely to find something, with the programs that they start: `make sanitize` runs all tests.
    "address": [
        // Wrappers.
        "AudioOutputTests", "DigestTests", "HTTPServingTests", "HTTPTests", "JSONTests", "MPEGAudioTests",
        "PasswordHashingTests", "SQLiteTests", "SeccompTests", "SystemCallsTests", "XMLEventsTests",
        // Decoders and rings.
        "AVDecodingTests", "DecoderHostTests", "DecoderProtocolTests", "DecoderSandboxTests", "MPEGDecodingTests",
        "SpeechDSPTests", "faulty-decoder",
        // Text in raw memory.
        "FeedDocumentsTests", "XMLRepairTests",
    ],
    "thread": [
        // Rings and sound.
        "AudioOutputTests", "DecoderHostTests", "DecoderProtocolTests", "EpisodeCacheTests", "PlayToolTests",
        "PlaybackTests",
        "faulty-decoder",
        // Sockets, processes and threads.
        "ControlClientTests", "ControlSocketTests", "DownloadsTests", "HTTPServingTests", "HTTPTests",
        "LibraryUpkeepTests",
        "LineServingTests", "RefreshingTests", "ReportingTests", "SQLiteTests", "SerialThreadsTests",
        "SystemCallsTests",
    ],
]
if let name = Context.environment["PODCASTD_SUBSET"], !name.isEmpty {
    let subset = subsets[name] ?? name.split(separator: ",").map(String.init)
    var needed = Set(subset)
    var unread = subset
    while let name = unread.popLast() {
        for case .byNameItem(let dependency, _) in package.targets.first(where: { $0.name == name })?.dependencies ?? []
        where needed.insert(dependency).inserted {
            unread.append(dependency)
        }
    }
    package.targets.removeAll { !needed.contains($0.name) }
}

// Fuzzing needs libFuzzer's run time and instrumented code: only scripts/fuzz asks for it.
if Context.environment["PODCASTD_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "podcastd-fuzz",
            dependencies: [
                "AVDecoding", "CLibFuzzer", "CommandLineTool", "Configuration", "ControlLanguage", "ControlProtocol",
                "DecoderHost", "DecoderProtocol", "PodcastModel", "FeedDocuments", "JSON", "Library", "LineServing",
                "MCPGateway", "MPDGateway", "MPEGDecoding", "MediaPorts", "Reporting", "DecoderSandbox", "SystemCalls",
                "WebGateway", "XMLEvents",
            ], path: "Fuzz/Targets", swiftSettings: strict),
    ]
}
