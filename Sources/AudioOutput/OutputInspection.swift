internal import ALSA
internal import Glibc
internal import SystemCalls

/// Whether an output can be used now.
public enum OutputCondition: Equatable, Sendable {
    /// Yes, as far as can be determined without playing.
    case usable
    /// Another program, or this one, uses it.
    case busy
    /// This process has no permission; contains the path or device.
    case forbidden(String)
    /// The device does not exist.
    case missing
    /// The sound server does not respond.
    case unreachable
    /// A named pipe that this process can write but no other user can read; contains its path.
    case unreadable(String)
    /// Any other problem, as text.
    case unusable(String)
}

/// Checks outputs without playing.
public protocol OutputInspecting: Sendable {
    /// ALSA's names of the cards' own devices. May take long.
    func devices() -> [String]
    /// Whether an output can be used now. Opens a device for a moment, but never a named pipe, because its reader would
    /// see an empty stream. May take long.
    func condition(of specification: OutputSpecification) -> OutputCondition
}

/// Checks the outputs of this machine.
public struct OutputInspector: OutputInspecting {
    public init() {}

    /// ALSA's names of the cards' own devices, which begin with `hw:`.
    public func devices() -> [String] { PlaybackDeviceHint.all().map(\.name).filter { $0.hasPrefix("hw:") } }

    /// Whether an output can be used now.
    public func condition(of specification: OutputSpecification) -> OutputCondition {
        switch specification.kind {
        case .alsa(let name): return device(name ?? "default")
        case .fifo(let path): return fifo(path)
        case .wav(let path): return file(path)
        case .raw(let path): return path == "-" ? .usable : file(path)
        // Commands are only started for playback.
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
        guard let status = try? FileStatus(path: path) else { return file(path) }
        guard status.isPipe else { return .unusable("\(path) is not a named pipe") }
        guard FileAccess([.read, .write]).isAllowed(path) else { return .forbidden(path) }
        return status.permissions & 0o044 == 0 ? .unreadable(path) : .usable
    }

    /// A file that exists, or that can be created in its folder.
    private func file(_ path: String) -> OutputCondition {
        var place = path
        do throws(SystemError) {
            do throws(SystemError) {
                try FileAccess.write.check(path)
            } catch  where error.code == ENOENT {
                place = StoredFile.folder(of: path)
                try FileAccess([.write, .execute]).check(place)
            }
            return .usable
        } catch {
            return error.code == ENOENT ? .unusable("directory \(place) does not exist") : .forbidden(place)
        }
    }
}
