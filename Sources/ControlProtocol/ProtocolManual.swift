internal import ControlLanguage
internal import JSON
internal import PodcastModel
internal import Reporting

/// docs/PROTOCOL.md, made from the declarations.
public enum ProtocolManual {
    /// The document; ends with a line break.
    public static var markdown: String {
        var text = introduction
        text += "\n## Errors\n\n\(errorsIntroduction)\n| code | message | meaning |\n|---:|---|---|\n"
        for code in ControlError.Code.allCases {
            text += "| \(code.rawValue) | \(code.message) | \(meaning(of: code)) |\n"
        }
        text +=
            "\n## Objects\n\nUnknown values are `null` or left out. Later versions may add members; ignore those you do not know.\n"
        text +=
            object(StatusReply.self) + object(PlayerReply.self)
            + object(ChapterReply.self) + object(EventReply.self) + object(RowChange.self)
        text +=
            object(EpisodeReply.self) + object(EntryReply.self) + object(EditedEntryReply.self)
            + object(QueuedReply.self)
            + object(NamedReply.self) + object(NextReply.self) + object(PlayContextReply.self)
            + object(SleepTimerReply.self)
        text +=
            object(FeedReply.self) + object(Activity.self) + object(OutputReply.self) + object(SettingReply.self)
            + object(DeclaredFeedSettingReply.self)
        text += object(MetricReply.self) + object(CheckReply.self)
        text +=
            object(UndoneReply.self) + object(UndoableAct.self) + object(HeardReply.self) + object(CueReply.self)
            + object(SpokenReply.self) + object(DownloadReply.self)
        text += object(RuleReply.self) + object(RuleTrialReply.self) + object(RetentionReply.self)
        text +=
            object(BookmarkReply.self) + object(ListeningReply.self) + object(SleepTimerReply.self)
            + object(NextReply.self) + object(PlayContextReply.self)
        text += details
        text +=
            "\n`Command`: what `server.commands` lists: `name`, `section`, `help`, `parameters` (each with `name`, `type` and its\n"
        text +=
            "bounds, `required`, `default` if there is one, `help`), `result`, `permission`, `long`, `commandLine` if there is one.\n"
        text += "\n## Commands\n\nA parameter may be omitted unless it is required.\n"
        for section in CommandTable.sections {
            text += "\n### \(section.name)\n"
            for command in section.declarations { text += self.command(command) }
        }
        return text
    }

    private static let details = """

        ### Details

        What publishers declare with the tags of the Podcasting 2.0 namespace. Members without a value are left out.

        - Of an episode: `seasonName`, `episodeName`; `persons` (`name`, `role`, `href`, `image`); `soundbites` (`start`,
          `duration` in seconds, `title`); `locations` (`name`, `geo`, `osm`, `country`, `rel`), as published.
        - Of a feed: `medium`; `funding` (`url`, `text`); `persons`, `locations` as above; `live`, streams, which are not
          episodes (`status` pending, live or ended, `start`, `end`, `guid`, `title`, `link`, `url`, `type`).

        """

    private static func object<Object: ReplyObject>(_ type: Object.Type) -> String {
        var text = "\n### \(type.objectName)\n\n| member | type | |\n|---|---|---|\n"
        for member in type.members { text += "| `\(member.name)` | \(member.type) | \(member.help) |\n" }
        return text
    }

    private static func command(_ command: CommandDeclaration) -> String {
        var text = "\n#### \(command.name)\n\n\(command.summary)\n\n"
        var notes = ["Permission: \(command.permission.name)."]
        if command.isLong { notes.append("May take long: later answers may overtake its answer.") }
        if let form = command.commandLine {
            notes.append("Command line: `podcastctl \(form.words.joined(separator: " "))`.")
        }
        text += notes.joined(separator: " ") + "\n"
        for paragraph in command.commandLine?.details ?? [] { text += "\n\(paragraph)\n" }
        if !command.parameters.isEmpty {
            text += "\n| parameter | type | default | |\n|---|---|---|---|\n"
            for parameter in command.parameters {
                let standard = parameter.isRequired ? "required" : parameter.defaultValue.map { "`\($0.text)`" } ?? ""
                text += "| `\(parameter.name)` | \(parameter.kind.words) | \(standard) | \(escaped(parameter.help)) |\n"
            }
        }
        return text + "\nResult: \(command.result).\n"
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }

    private static func meaning(of code: ControlError.Code) -> String {
        switch code {
        case .parseError: "The line is not JSON, or is nested too deep."
        case .invalidRequest:
            "The JSON is not a request, or a batch or line is too long; after a line that is too long the connection closes."
        case .methodNotFound: "There is no such command."
        case .invalidParameters: "A parameter is missing, unknown or of a wrong type."
        case .internalError: "An error in the daemon."
        case .notFound: "The named object does not exist."
        case .notPermitted: "The connection lacks the permission."
        case .invalidArgument: "A value is out of range or cannot be parsed."
        case .conflict: "Not possible in the current state."
        case .unavailable: "Temporarily not possible; the same call may work later."
        case .mediaFailed: "An episode's file could not be fetched or played."
        case .feedFailed: "A feed could not be fetched or read."
        case .storageFailed: "The library could not be read or written."
        }
    }

    private static let introduction = """
        # The control socket

        This page is generated from the declarations in `Sources/ControlProtocol`; a test fails if the two differ. `make docs`
        records it again.

        ## Connecting

        The socket is a Unix stream socket: `$XDG_RUNTIME_DIR/podcastd/control` for a user's daemon, `/run/podcastd/control` for the system's.
        Clients use the first of: `--socket`; `PODCASTD_SOCKET`; the user's socket, if the user has a library or a daemon answers
        there; the system's socket, if it exists or the system has a library; the user's socket.

        The protocol is JSON-RPC 2.0 in UTF-8: one object per line, at most 1 MiB per line in both directions. A longer line is
        answered with an error and the connection closes. The server sends the first line:

            {"jsonrpc":"2.0","method":"hello","params":{"server":"podcastd","version":"…","protocol":1,"permission":"control"}}

        Each request gets one response:

            {"jsonrpc":"2.0","id":1,"method":"playback.seek","params":{"time":"+30"}}
            {"jsonrpc":"2.0","id":1,"result":{"position":754.2}}

        `id` may be text of at most 256 bytes, a number or null; a request without one is a notification and gets no response.
        `params` is an object, or an array in the order of the parameters below. A batch has at most 100 requests and is answered
        with one line; a request whose answer does not fit into it is answered with error 4 instead. Unknown parameters are
        errors. Objects and arrays may be nested 64 deep.

        Commands are started and answered in the order in which they arrive, except those marked *may take long*: the
        answers to later commands may overtake theirs. While a client does not read its answers, the server reads no further
        requests from it. If unfinished requests and unread answers of one user's connections take more than 16 MiB together, the
        largest are closed with error 5. A user may have 256 connections; some connections are reserved for the daemon's own user
        and root.

        A page of a list may have fewer rows than `limit`, because it ends before its line would become too long. `hasAfter` is then
        true, and the list continues after the page's last row. If a single row or another answer would be too long, its longest
        texts are shortened and end in `…`.

        - *seconds*: a number with millisecond grain. *instant*: RFC 3339 in UTC, to the second.
        - *time*: seconds as a number, or text: `SECONDS`, `M:SS`, `H:MM:SS[.mmm]`, `1h2m3s`; with `+` or `-` relative.
        - *what*: text or a number that names episodes, feeds or entries of the queue: `e3124` is an episode's id, `f5` a feed's,
          `#7` an index in the queue, from 1; `e10-e20` is a range; `current` is the episode that plays. A number alone is an index for `playback.play`,
          `queue.remove` and `queue.move`, a feed's id where feeds are named, else an episode's id; it is never a title. A URL is
          that of an episode's file or of a feed. `playlist:NAME` is a saved or built-in playlist, `filter:CONDITIONS` the
          episodes that match. Any other text is a title, without regard to case and diacritics ("ss" is "ß"): the exact
          title of a feed, else the exact title of an episode, else all words of the text within one title. If several match,
          the error's `candidates` lists at most ten of them. Several words of a list that together are the exact title of a
          feed or an episode are that title.
        - *text*: at most 4096 bytes if not stated otherwise. Lists have at most 1000 elements.

        ## Files

        Clients hand over contents or descriptors of files, never paths that the daemon would open. `episodes.file` takes a
        descriptor: send it with the bytes of the request's line as ancillary data (`SCM_RIGHTS`, unix(7)), at most one for a
        request, opened only for reading, of a regular file. A descriptor that no request uses is closed.

        ## Permissions

        `read` permits reading, `control` also playing, queueing and marking, `admin` also subscribing and changing settings. The
        section `[control]` of podcastd.conf maps users and groups to their highest permission; the server identifies them by
        the credentials of the connecting process. The daemon's own user and root have all permissions. `session.restrict`
        reduces the permission of a connection, `session.as` that of one call.

        ## Events

        `status.subscribe` answers with a snapshot of the parts it names. After that each change of a part sends an event:

            {"jsonrpc":"2.0","method":"event","params":{"seq":17,"part":"player","value":{…}}}

        Changes of a part that come close together are one event. A client that reads slowly loses values between, never the
        newest, and does not delay others. The values: `player` a `Player` object; `queue` `{length, index, revision}`;
        `activities` and `outputs` lists of their objects; null for the other parts.

        The parts `queue`, `feeds`, `episodes`, `playlists`, `rules` and `downloads` are lists, whose events also say what
        changed since the last event of that part on this connection, so that a client can keep a copy:

            {"seq":18,"part":"queue","value":{"length":3,"index":1,"revision":41},"since":40,"revision":41,
            "changes":[{"kind":"insert","id":12,"episode":77,"index":3}]}
            {"seq":19,"part":"episodes","value":null,"since":6,"revision":7,"changes":[{"kind":"update","id":77}]}
            {"seq":20,"part":"feeds","value":null,"since":1,"revision":2,"reload":true}

        - `queue`: apply the changes in order. `queue.list` answers with the `revision` of its entries. If a copy has that of
          `since`, apply the changes; if it has that of `revision` or a newer one, ignore them; otherwise read the queue again.
        - `feeds`, `episodes`, `rules`, `downloads`: `id` is that of the feed, episode, rule or downloaded episode; `playlists`:
          `name`. A row has at most one change in an event. An `update` of an unknown row may be a new row.
        - `reload`: the changes are unknown or too many, for example because the client did not read for long: read the list
          again.
        - Revisions start anew with the daemon, so read lists again after connecting.

        """

    private static let errorsIntroduction = """
        An error has `code`, `message`, and `data` with `what` (what failed, for users) and often `hint` (what to do):

            {"code":1,"message":"Not found","data":{"what":"no episode matches 'Pilot'","hint":"…"}}

        `data` has `status` if the exit status of sysexits.h(3head) for the failure is not that of other failures with its code: 69
        if a server refused a feed or file and will do so again, 75 if another attempt may help.

        If a name matches several feeds or episodes, `data` also has `candidates`: a list of `kind` (`feed` or `episode`), `id`,
        `title`, and `feedTitle` and `published` (both null for a feed); and `ambiguousName`, the name. `feeds.unsubscribe`, `feeds.merge` and `episodes.delete`
        act on ids, URLs and exact titles, although they can be undone, because a wrong match is easily overlooked. For a part of a
        title `data` has `inexactName`, the name, and the one candidate that it means. Repeat the call with the candidate's id,
        or with `yes`.

        If a command was executed but its effect could not be saved, `data` also has `done`: true. For example after a pause on a
        full disk, playback is paused, but after a restart of the daemon it resumes at the position saved before:

            {"code":8,"message":"Storage failed","data":{"what":"paused; the position could not be saved: the disk is full",
            "hint":"…","done":true}}

        """
}
