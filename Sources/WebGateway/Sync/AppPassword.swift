internal import ControlLanguage
internal import ControlProtocol
internal import GatewayKit
internal import JSON
internal import PodcastModel
internal import Secrets

/// A device's new app password, of which the library keeps only the hash.
struct AppPassword {
    let device: PairDevice
    let text: String

    /// Nil without libxcrypt. Takes as long as one hash.
    /// - Parameter caption: as `SafeText.title` returns it.
    init?(of caption: String, owner: String) {
        let word = caption.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }.prefix(16)
        let name = "\(word.isEmpty ? "device" : word)-\(Secret.make().prefix(4))"
        let password = "\(name).\(Secret.make(Secret.typed))"
        guard let hash = PasswordHash.make(from: password) else { return nil }
        text = password
        device = PairDevice {
            $0.name = name
            $0.caption = caption
            $0.owner = owner
            $0.hash = hash.text
        }
    }

    /// The login as Nextcloud's apps read it; nil without libqrencode.
    func code(server: String) -> QRCode? {
        QRCode("nc://login/server:\(server)&user:\(WebAddress.percentEncoded(device.owner))&password:\(text)")
    }
}
