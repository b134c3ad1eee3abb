internal import ControlLanguage

/// The commands of MPD's protocol, version 0.23, that are executed; `idle`, command lists and `close` belong to the conversation.
enum MPDCommand: String, Sendable, CaseIterable {
    // Status.
    case clearerror, currentsong, status, stats, ping, commands, notcommands, urlhandlers, decoders, tagtypes, config
    // Playback.
    case play, playid, pause, stop, next, previous, seek, seekid, seekcur
    // Options.
    case consume, crossfade, mixrampdb, mixrampdelay, random, `repeat`, single, setvol, getvol, volume
    case replayGainMode = "replay_gain_mode"
    case replayGainStatus = "replay_gain_status"
    // Queue.
    case add, addid, clear, delete, deleteid, move, moveid, playlist, playlistid, playlistinfo, playlistfind
    case playlistsearch, plchanges, plchangesposid, prio, prioid, rangeid, shuffle, swap, swapid, addtagid, cleartagid
    // Stored playlists.
    case listplaylist, listplaylistinfo, listplaylists, load, playlistadd, playlistclear, playlistdelete, playlistmove
    case rename, rm, save
    // Music database.
    case albumart, count, find, findadd, list, listall, listallinfo, listfiles, lsinfo, readcomments
    case readpicture, search, searchadd, searchaddpl, update, rescan
    case sticker
    // Connection.
    case kill, password, binarylimit
    // Outputs.
    case disableoutput, enableoutput, outputs, outputset, toggleoutput

    /// Commands that the conversation executes, for `commands`.
    static let ofConversation = [
        "close", "command_list_begin", "command_list_end", "command_list_ok_begin", "idle", "noidle",
    ]

    /// How many arguments it takes.
    var arguments: ClosedRange<Int> {
        switch self {
        case .clearerror, .currentsong, .status, .stats, .ping, .commands, .notcommands, .urlhandlers, .decoders,
            .config, .stop, .next, .previous, .getvol, .replayGainStatus, .clear, .playlist, .listplaylists, .kill,
            .outputs:
            0...0
        case .play, .playid, .pause, .playlistid, .playlistinfo, .shuffle, .listall, .listallinfo, .listfiles, .lsinfo,
            .update, .rescan:
            0...1
        case .seekcur, .consume, .crossfade, .mixrampdb, .mixrampdelay, .random, .repeat, .single, .setvol, .volume,
            .replayGainMode, .delete, .deleteid, .playlistclear, .rm, .readcomments,
            .password, .binarylimit, .disableoutput, .enableoutput, .toggleoutput:
            1...1
        case .add, .addid, .plchanges, .plchangesposid, .listplaylist, .listplaylistinfo, .save: 1...2
        case .seek, .seekid, .move, .moveid, .swap, .swapid, .rangeid, .rename, .albumart, .readpicture:
            2...2
        case .playlistadd, .cleartagid, .playlistdelete: 2...3
        case .load: 1...3
        case .addtagid, .playlistmove, .outputset: 3...3
        case .prio, .prioid: 2...MPDRequest.maximumArguments
        case .playlistfind, .playlistsearch, .count, .find, .findadd, .list, .search, .searchadd:
            1...MPDRequest.maximumArguments
        case .searchaddpl: 2...MPDRequest.maximumArguments
        case .sticker: 3...MPDRequest.maximumArguments
        case .tagtypes: 0...MPDRequest.maximumArguments
        }
    }

    /// Whether the command reads what the gateway knows of the daemon. Such a command waits until the gateway knows the effect of earlier
    /// commands; the others are passed on at once.
    var readsModel: Bool {
        switch self {
        case .setvol, .volume, .stop, .next: false
        default: permission != nil
        }
    }

    /// What a client must be allowed to do; nil for what everybody may.
    var permission: CommandDeclaration.Permission? {
        switch self {
        case .ping, .commands, .notcommands, .password, .binarylimit, .tagtypes, .urlhandlers: nil
        case .currentsong, .status, .stats, .decoders, .config, .getvol, .replayGainStatus, .playlist, .playlistid,
            .playlistinfo, .playlistfind, .playlistsearch, .plchanges, .plchangesposid, .listplaylist,
            .listplaylistinfo, .listplaylists, .albumart, .count, .find, .list, .listall, .listallinfo,
            .listfiles, .lsinfo, .readcomments, .readpicture, .search, .outputs:
            .read
        case .clearerror, .play, .playid, .pause, .stop, .next, .previous, .seek, .seekid, .seekcur, .crossfade,
            .mixrampdb, .mixrampdelay, .random, .repeat, .single, .setvol, .volume, .add, .addid, .clear, .delete,
            .deleteid, .move, .moveid, .prio, .prioid, .rangeid, .shuffle, .swap, .swapid, .addtagid, .cleartagid,
            .load, .playlistadd, .playlistclear, .playlistdelete, .playlistmove, .rename, .rm, .save, .findadd,
            .searchadd, .searchaddpl, .update, .rescan, .sticker,
            .disableoutput, .enableoutput, .outputset, .toggleoutput, .consume, .replayGainMode:
            .control
        case .kill: .admin
        }
    }

    /// The command of a request.
    ///
    /// - Throws: if there is none, with too few or too many arguments, or if the client may not execute it.
    init(_ request: MPDRequest, allowed: CommandDeclaration.Permission?) throws(MPDError) {
        guard let command = MPDCommand(rawValue: request.command) else {
            throw MPDError(.unknownCommand, "unknown command \"\(request.command)\"")
        }
        if let needed = command.permission, allowed.map({ $0 < needed }) ?? true {
            throw MPDError(.permission, "you don't have permission for \"\(request.command)\"")
        }
        if request.arguments.count < command.arguments.lowerBound {
            throw MPDError(.argument, "too few arguments for \"\(request.command)\"")
        }
        if request.arguments.count > command.arguments.upperBound {
            throw MPDError(.argument, "too many arguments for \"\(request.command)\"")
        }
        self = command
    }
}
