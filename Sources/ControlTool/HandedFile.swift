internal import CommandLineTool
internal import ControlClient
internal import ControlLanguage
internal import ControlProtocol
internal import JSON
internal import PodcastModel
internal import SystemCalls

/// A media file that is played or queued by its path: podcastctl opens it, so that the user's rights count, and hands the
/// descriptor to the daemon.
enum HandedFile {
    /// Whether a word is a path: one that begins with a folder, or the name of a media file that exists or has a folder. A title is
    /// never mistaken for a file, because other words need the ending of a media file.
    static func isPath(_ word: String) -> Bool {
        if ["/", "./", "../"].contains(where: word.hasPrefix) { return true }
        guard MediaName.isMedia(word), !word.contains("://") else { return false }
        if word.contains("/"), !word.contains(" ") { return true }
        if case .regular? = try? FileKind(at: word) { return true }
        return false
    }

    /// The id of the file's episode, as a word of a command.
    static func episode(_ path: String, _ view: View) throws(ToolFailure) -> String {
        let (file, absolute) = try open(path)
        do throws(ClientFailure) {
            return try view.connection.call(HandOverFile { $0.path = absolute }, file: file).episode.id.label
        } catch {
            throw ToolFailure(error)
        }
    }

    /// Calls a command whose parameter `what` becomes the file's absolute path.
    static func call(_ command: Announce, _ path: String, _ view: View) throws(ToolFailure) -> JSONValue {
        let (file, absolute) = try open(path)
        var command = command
        command.what = absolute
        do throws(ClientFailure) {
            return try view.connection.call(Request(id: nil, command), file: file)
        } catch {
            throw ToolFailure(error)
        }
    }

    private static func open(_ path: String) throws(ToolFailure) -> (OpenFile, path: String) {
        do throws(SystemError) {
            // Opening a named pipe would block.
            if case .regular = try FileKind(at: path) {
                return (OpenFile(try FileDescriptor.openForReading(path)), try CurrentProcess.realPath(path))
            }
        } catch {
            throw ToolFailure(.noInput, error.description)
        }
        throw ToolFailure(.noInput, "\(SafeText.line(path)): not a regular file")
    }
}
