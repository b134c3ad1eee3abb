internal import PodcastModel
internal import SystemCalls
internal import Terminal

/// Opens web addresses with xdg-open(1) on a display; without one, asks the terminal to put them on its clipboard.
final class DesktopLinks {
    /// What xdg-open and a browser need of the environment.
    private static let variables = [
        "HOME", "PATH", "LANG", "LC_ALL", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR",
        "XDG_CONFIG_HOME",
        "XDG_DATA_DIRS", "XDG_CURRENT_DESKTOP", "XDG_SESSION_TYPE", "DBUS_SESSION_BUS_ADDRESS", "BROWSER",
        "DESKTOP_SESSION",
    ]

    private let screen: CursesScreen
    /// Processes that were started and may have ended.
    private var started: [Int32] = []

    init(_ screen: CursesScreen) { self.screen = screen }

    func open(_ url: String) -> LinkOutcome {
        started.removeAll { (try? waitForProcess($0, waiting: false)) != nil }
        let hasDisplay = ["DISPLAY", "WAYLAND_DISPLAY"].contains { CurrentProcess.variable($0) != nil }
        let paths = (CurrentProcess.variable("PATH") ?? "").split(separator: ":").map { "\($0)/xdg-open" }
        if hasDisplay, let path = paths.first(where: FileAccess.execute.isAllowed) {
            do throws(SystemError) {
                let environment = Launch.inherited(Self.variables)
                started.append(try startProcess(Launch(path, [url], environment: environment)))
                return .opened
            } catch {
                return .failed("\(path) cannot be run: \(error.reason)")
            }
        }
        // OSC 52 of xterm: the selection "clipboard".
        screen.send(Array("\u{1B}]52;c;\(Base64.text(of: url.utf8))\u{07}".utf8), line: 0, column: 0)
        return .copied
    }
}
