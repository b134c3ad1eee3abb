import Glibc
@testable import HTTP
import SystemCalls
import Testing

/// Which connections the watch ends; each look stands for some processor time.
@Suite(.ownThread) final class SocketWatchTests {
    private let watch = SocketWatch(startsThread: false)
    private let own: FileDescriptor
    private let peer: FileDescriptor

    init() throws {
        let listener = try LoopbackListener()
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        own = FileDescriptor(owning: raw)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = listener.port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(connected == 0)
        peer = try listener.accept()
        watch.opened(own.raw)
    }

    /// Lets the peer send bytes, and takes them from the socket.
    private func bring(_ count: Int) throws {
        try [UInt8](repeating: 0, count: count).withUnsafeBytes { try StreamSocket.send(peer.raw, $0) }
        try take(count)
    }

    private func take(_ count: Int) throws {
        var left = count
        var buffer = [UInt8](repeating: 0, count: count)
        while left > 0 { left -= try buffer.withUnsafeMutableBytes { try StreamSocket.receive(own.raw, into: $0) } }
    }

    /// Whether the watch has shut the connection down; asks without waiting.
    private var isShutDown: Bool {
        var byte: UInt8 = 0
        return recv(own.raw, &byte, 1, Int32(MSG_DONTWAIT)) == 0
    }

    @Test func aConnectionThatBringsNoContentInOneRoundIsShutDown() throws {
        try watch.round {
            watch.look()
            for look in 1...SocketWatch.patience {
                #expect(!isShutDown, "before look \(look)")
                try bring(1000)
                watch.look()
            }
        }
        #expect(isShutDown)
        #expect(watch.wasFlooded(port: try #require(StreamSocket.localPort(own.raw))))
    }

    @Test func aConnectionThatBringsContentIsKept() throws {
        try watch.round {
            for _ in 0..<10 {
                try bring(1000)
                watch.deliver(600)
                watch.look()
            }
        }
        #expect(!isShutDown)
    }

    @Test func roundsThatReturnAreNoFlood() throws {
        for _ in 0..<10 {
            try watch.round {
                try bring(1000)
                watch.look()
            }
            watch.look()
        }
        #expect(!isShutDown)
    }

    @Test(arguments: [0, 40_000])
    func roundsThatReturnWithoutContentEndAConnectionAtItsLimit(content: Int) throws {
        let piece = 65_536
        for _ in 0...SocketWatch.maximumEmptyBytes / UInt64(piece) {
            #expect(!isShutDown)
            try watch.round {
                try bring(piece)
                watch.deliver(content)
            }
            watch.look()
        }
        #expect(isShutDown == (content == 0))
    }

    @Test func aRoundThatIsHeldUpElsewhereEndsNoConnection() throws {
        // A delegate that waits for the disk: bytes arrive, and the thread does not read them.
        try watch.round {
            for _ in 0..<10 {
                try [UInt8](repeating: 0, count: 1000).withUnsafeBytes { try StreamSocket.send(peer.raw, $0) }
                watch.look()
            }
        }
        try take(10_000)
        #expect(!isShutDown)
    }

    @Test func everyConnectionCanBeShutDownAtOnce() {
        watch.shutDownAll()
        #expect(isShutDown)
    }
}
