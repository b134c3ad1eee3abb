internal import CommandLineTool
internal import ControlClient
internal import Reporting
internal import SystemCalls

/// The sockets on which a gateway listens.
enum GatewayListeners {
    /// Addresses at most; each host name may be two.
    private static let maximum = 4

    /// Those of the service manager if it passed some, else those that are asked for.
    ///
    /// - Returns: their descriptors, which the caller owns.
    static func open(_ addresses: [ListenAddress]) throws(ToolFailure) -> [Int32] {
        let inherited = SocketActivation.inheritedSockets().map(\.descriptor)
        if !inherited.isEmpty {
            do throws(SystemError) {
                for descriptor in inherited { try LocalSocket.prepareListener(descriptor) }
            } catch {
                throw ToolFailure(.configuration, error.description)
            }
            return inherited
        }
        var descriptors: [Int32] = []
        if addresses.count > maximum {
            throw ToolFailure(.usage, "more than \(maximum) addresses to listen on")
        }
        do throws(SystemError) {
            for address in addresses {
                switch address {
                case .internet("localhost", let port):
                    let first = try InternetListener.listen(on: "127.0.0.1", port: port)
                    // With port 0 both families use the same one.
                    let chosen = InternetListener.port(of: first.raw) ?? port
                    descriptors.append(first.release())
                    // A machine may have no IPv6.
                    if let second = try? InternetListener.listen(on: "::1", port: chosen) {
                        descriptors.append(second.release())
                    }
                case .internet(let host, let port):
                    descriptors.append(try InternetListener.listen(on: host, port: port).release())
                case .local(let path):
                    if !SocketDiscovery.answers(path), try FileStatus(ofLink: path)?.isSocket == true {
                        try StoredFile.remove(path)
                    }
                    descriptors.append(try LocalSocket.listen(at: path, mode: 0o660).release())
                }
            }
        } catch {
            throw ToolFailure(.unavailable, error.description)
        }
        return descriptors
    }
}
