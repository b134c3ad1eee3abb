internal import ALSA
internal import Glibc
internal import SystemCalls

/// Whether an output could be used now.
public enum OutputCondition: Equatable, Sendable {
    /// It could, as far as can be seen without playing.
    case usable
    /// Another program, or this one, has it.
    case busy
    /// This process may not use it; the path or device.
    case forbidden(String)
    /// There is no such device.
    case missing
    /// The sound server behind it does not answer.
    case unreachable
    /// A named pipe that this process writes and no other user may read; its path.
    case unreadable(String)
    /// Anything else, in words.
    case unusable(String)
}

/// Looks at outputs without playing.
public protocol OutputInspecting: Sendable {
    /// ALSA's names of the cards' own devices. May take long.
    func devices() -> [String]
    /// Whether an output could be used now. Opens a device for a moment, never a named pipe: its reader would take that for
    /// a beginning and an end. May take long.
    func condition(of specification: OutputSpecification) -> OutputCondition
}

/// Looks at the outputs of this machine.
public struct OutputInspector: OutputInspecting {
    /// An inspector.
    public init() {}

    /// ALSA's names of the cards' own devices: those that begin with `hw:`.
    public func devices() -> [String] { PlaybackDeviceHint.all().map(\.name).filter { $0.hasPrefix("hw:") } }

    /// Whether an output could be used now.
    public func condition(of specification: OutputSpecification) -> OutputCondition {
        switch specification.kind {
        case .alsa(let name): return device(name ?? "default")
        case .fifo(let path): return fifo(path)
        case .wav(let path): return file(path)
        case .raw(let path): return path == "-" ? .usable : file(path)
        // Nobody but playing starts a command.
        case .pipe, .null: return .usable
        }
    }

    private func device(_ name: String) -> OutputCondition {
        do throws(ALSAError) {
            _ = try PlaybackDevice(opening: name)
            return .usable
        } catch {
            switch error.kind {
            case .busy: return .busy
            case .forbidden: return .forbidden(name)
            case .missing, .gone: return .missing
            case .unreachable: return .unreachable
            case .underrun, .suspended, .unsupported, .other: return .unusable(error.description)
            }
        }
    }

    private func fifo(_ path: String) -> OutputCondition {
        var status = stat()
        guard stat(path, &status) == 0 else { return file(path) }
        guard status.st_mode & S_IFMT == S_IFIFO else { return .unusable("\(path) is no named pipe") }
        guard access(path, W_OK) == 0 else { return .forbidden(path) }
        return status.st_mode & (S_IRGRP | S_IROTH) == 0 ? .unreadable(path) : .usable
    }

    /// A file that is there, or that the folder lets come to be.
    private func file(_ path: String) -> OutputCondition {
        if access(path, W_OK) == 0 { return .usable }
        guard errno == ENOENT else { return .forbidden(path) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        if access(folder, W_OK | X_OK) == 0 { return .usable }
        return errno == ENOENT ? .unusable("there is no folder \(folder)") : .forbidden(folder)
    }
}
