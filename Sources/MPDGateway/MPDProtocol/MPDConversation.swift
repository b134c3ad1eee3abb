/// When a client's lines are executed, and which changes are reported to the client: events in, actions out, without I/O.
struct MPDConversation {
    /// The version of MPD's protocol, as the greeting names it.
    static let version = "0.23.5"
    /// Bytes of the lines of a command list at most, as in MPD.
    static let maximumListBytes = 2 << 20

    private enum State {
        /// Waiting for a line. Next: listing, running, idling.
        case ready
        /// Lines are kept until `command_list_end`. Next: running.
        case listing(saysOK: Bool, [MPDRequest], bytes: Int)
        /// A command is executed. `rest` follows; `saysOK` is nil for a command outside a list. Next: ready.
        case running(rest: ArraySlice<MPDRequest>, command: String, saysOK: Bool?)
        /// Waiting for a change of these. Next: ready.
        case idling(MPDSubsystems)
        /// Nothing more is read.
        case closed
    }

    enum Action {
        case send([UInt8])
        /// Execute a command, and report how it ended with `finished`.
        case run(MPDRequest)
        case close
    }

    private var state = State.ready
    /// Changes that were not reported to the client.
    private var changes: MPDSubsystems = []

    static let greeting = Array("OK MPD \(version)\n".utf8)
    private static let ok = Array("OK\n".utf8)

    var canReceive: Bool {
        switch state {
        case .ready, .listing, .idling: true
        case .running, .closed: false
        }
    }

    /// Whether the client may be silent for any time.
    var isIdling: Bool { if case .idling = state { true } else { false } }

    /// Bytes of a command list that has not ended.
    var heldBytes: Int { if case .listing(_, _, let bytes) = state { bytes } else { 0 } }

    /// The next command of the list that is executed, if it can be read.
    var following: String? {
        guard case .running(let rest, _, _) = state, let next = rest.first, next.fault == nil else { return nil }
        return next.command
    }

    /// - Parameter line: without its line break.
    mutating func receive(_ line: UnsafeRawBufferPointer) -> [Action] {
        let request = MPDRequest(line: line)
        // As MPD does: the line may belong to an HTTP request that a web page makes a browser send, whose body has commands.
        if request.command.isEmpty { return close() }
        switch state {
        case .idling:
            // MPD closes the connection if anything else comes.
            guard request.command == "noidle" else { return close() }
            state = .ready
            return [.send(removeChanges([]) + Self.ok)]
        case .ready: return begin(request)
        case .listing:
            // Moved out of the state, because a list that is in two places is copied for each line.
            guard case .listing(let saysOK, var requests, let bytes) = exchange(&state, with: .closed) else {
                return []
            }
            if request.command == "command_list_end" { return run(requests[...], saysOK: saysOK) }
            let total = bytes + line.count + 64
            if total > Self.maximumListBytes { return close() }
            requests.append(request)
            state = .listing(saysOK: saysOK, requests, bytes: total)
            return []
        case .running, .closed: return []
        }
    }

    private mutating func begin(_ request: MPDRequest) -> [Action] {
        switch request.command {
        // The answer to `idle` was on its way when `noidle` was sent.
        case "noidle": return []
        case "command_list_begin", "command_list_ok_begin":
            state = .listing(saysOK: request.command == "command_list_ok_begin", [], bytes: 0)
            return []
        case "command_list_end":
            return [.send(MPDError(.notList, "not in command list").line(index: 0, command: request.command))]
        case "idle" where request.fault == nil: return idle(request)
        case "close": return close()
        default: return run([request], saysOK: nil)
        }
    }

    private mutating func idle(_ request: MPDRequest) -> [Action] {
        let watched: MPDSubsystems
        do throws(MPDError) {
            watched = try MPDSubsystems(names: request.arguments)
        } catch {
            return [.send(error.line(index: 0, command: request.command))]
        }
        if changes.isDisjoint(with: watched) {
            state = .idling(watched)
            return []
        }
        return [.send(removeChanges(watched) + Self.ok)]
    }

    /// Forgets the watched changes, and returns the lines that report these changes.
    private mutating func removeChanges(_ watched: MPDSubsystems) -> [UInt8] {
        var answer = MPDAnswer()
        for subsystem in MPDSubsystem.allCases where changes.contains(subsystem) && watched.contains(subsystem) {
            answer.add("changed", subsystem.rawValue)
        }
        changes.subtract(watched)
        return answer.bytes
    }

    private mutating func run(_ requests: ArraySlice<MPDRequest>, saysOK: Bool?) -> [Action] {
        guard let next = requests.first else {
            state = .ready
            return [.send(Self.ok)]
        }
        state = .running(rest: requests.dropFirst(), command: next.command, saysOK: saysOK)
        switch next.command {
        case "close": return close()
        case "idle", "noidle", "command_list_begin", "command_list_ok_begin":
            return finished(.failure(MPDError(.notList, "not allowed in a command list")))
        default: break
        }
        if let fault = next.fault { return finished(.failure(fault)) }
        return [.run(next)]
    }

    /// Ends the command that is executed, with the lines that are still to be sent.
    mutating func finished(_ outcome: Result<MPDAnswer, MPDError>) -> [Action] {
        guard case .running(let rest, let command, let saysOK) = state else { return [] }
        switch outcome {
        case .failure(let error):
            state = .ready
            let name = error.code == .unknownCommand ? "" : command
            return [.send(error.line(index: saysOK == nil ? 0 : rest.startIndex - 1, command: name))]
        case .success(let answer):
            let end = rest.isEmpty ? Self.ok : []
            let separator = saysOK == true ? Array("list_OK\n".utf8) : []
            let send = Action.send(answer.bytes + separator + end)
            if rest.isEmpty {
                state = .ready
                return [send]
            }
            return [send] + run(rest, saysOK: saysOK)
        }
    }

    /// Records changes, and reports them to a client that waits for one of them.
    mutating func changed(_ subsystems: MPDSubsystems) -> [Action] {
        changes.formUnion(subsystems)
        guard case .idling(let watched) = state, !changes.isDisjoint(with: watched) else { return [] }
        state = .ready
        return [.send(removeChanges(watched) + Self.ok)]
    }

    private mutating func close() -> [Action] {
        state = .closed
        return [.close]
    }
}

/// A part of MPD's state that `idle` reports.
enum MPDSubsystem: String, CaseIterable {
    case database, update
    case storedPlaylist = "stored_playlist"
    case playlist, player, mixer, output, options, partition, sticker, subscription, message, neighbor, mount
}

typealias MPDSubsystems = Set<MPDSubsystem>

extension MPDSubsystems {
    /// The subsystems with these names; all without any name.
    init(names: [String]) throws(MPDError) {
        self = names.isEmpty ? Set(MPDSubsystem.allCases) : []
        for name in names {
            guard let subsystem = MPDSubsystem(rawValue: name) else {
                throw .argument("Unrecognized idle event: \(name)")
            }
            insert(subsystem)
        }
    }
}
