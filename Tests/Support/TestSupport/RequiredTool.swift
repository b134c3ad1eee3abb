import Foundation

/// A program that tests start and that is in a separate package. A test that misses one fails at once and names the package.
package enum RequiredTool: String {
    case avahiDaemon = "avahi-daemon"
    case chromedriver
    case chromium
    case curl
    case dbusDaemon = "dbus-daemon"
    case dbusMonitor = "dbus-monitor"
    case ffmpeg
    case fish
    case gdbus
    case gmediarender
    case gpo
    case groff
    case icecast2
    case ip
    case mpc
    case ncmpc
    case ncmpcpp
    case nginx
    case openssl
    case pactl
    case parec
    case php
    case pipewire
    case pipewirePulse = "pipewire-pulse"
    case playerctl
    case pulseaudio
    case snapclient
    case snapserver
    case tmux
    case valgrind
    case wireplumber
    case zbarimg
    case zsh

    package struct Missing: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    private var package: String {
        switch self {
        case .chromedriver: "chromium-driver"
        case .avahiDaemon, .dbusDaemon: rawValue
        case .dbusMonitor: "dbus-bin"
        case .gdbus: "libglib2.0-bin"
        case .gpo: "gpodder"
        case .groff: "groff-base"
        case .ip: "iproute2"
        case .nginx: "nginx-light"
        case .zbarimg: "zbar-tools"
        case .pactl, .parec: "pulseaudio-utils"
        case .php: "php-cli"
        case .chromium, .curl, .ffmpeg, .fish, .gmediarender, .icecast2, .mpc, .ncmpc, .ncmpcpp, .openssl, .pipewire,
            .pipewirePulse, .playerctl, .pulseaudio, .snapclient, .snapserver, .tmux, .valgrind, .wireplumber, .zsh:
            rawValue
        }
    }

    /// The program's path.
    /// - Throws: `Missing` if it is not in one of the folders where packages put programs.
    @discardableResult
    package func path() throws -> String {
        let folders = ["/usr/bin", "/usr/sbin", "/bin", "/sbin"]
        guard let folder = folders.first(where: { access("\($0)/\(rawValue)", X_OK) == 0 }) else {
            throw Self.missing(rawValue, package)
        }
        return "\(folder)/\(rawValue)"
    }

    package static func missing(_ what: String, _ package: String) -> Missing {
        Missing(description: "\(what) not found; install the package \(package) (scripts/setup test)")
    }
}
