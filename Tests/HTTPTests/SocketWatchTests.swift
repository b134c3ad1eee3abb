import Glibc
@testable import HTTP
import MachineSupport
import SystemCalls
import Testing
import TestSupport

/// Which connections the watch ends; each check stands for some processor time.
@Suite(.ownThread) final class SocketWatchTests {
    private let watch = SocketWatch(startsThread: false)
    private let listener: LoopbackListener
    private let one: Connection

    /// Both ends of a connection that the watch knows.
    private final class Connection {
        let own: FileDescriptor
        let peer: FileDescriptor

        init(_ watch: SocketWatch, _ listener: borrowing LoopbackListener) throws {
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
            watch.opened(raw)
        }

        /// Lets the peer send bytes, and takes them from the socket.
        func bring(_ count: Int) throws {
            try send(count)
            try take(count)
        }

        func send(_ count: Int) throws {
            try [UInt8](repeating: 0, count: count).withUnsafeBytes { try StreamSocket.send(peer.raw, $0) }
        }

        func take(_ count: Int) throws {
            var left = count
            var buffer = [UInt8](repeating: 0, count: count)
            while left > 0 { left -= try buffer.withUnsafeMutableBytes { try StreamSocket.receive(own.raw, into: $0) } }
        }

        /// Whether the watch has shut the connection down; asks without waiting.
        var isShutDown: Bool {
            var byte: UInt8 = 0
            return recv(own.raw, &byte, 1, Int32(MSG_DONTWAIT)) == 0
        }
    }

    init() throws {
        listener = try LoopbackListener()
        one = try Connection(watch, listener)
    }

    @Test func aConnectionThatBringsNoContentInOneRoundIsShutDown() throws {
        try watch.round {
            watch.check()
            for check in 1...SocketWatch.maximumEmptyChecks {
                #expect(!one.isShutDown, "before check \(check)")
                try one.bring(1000)
                watch.check()
            }
        }
        #expect(one.isShutDown)
    }

    @Test func aConnectionThatBringsContentIsKept() throws {
        try watch.round {
            for _ in 0..<10 {
                try one.bring(1000)
                watch.deliver(600)
                watch.check()
            }
        }
        #expect(!one.isShutDown)
    }

    @Test func aFloodEndsOnlyItsConnection() throws {
        let other = try Connection(watch, listener)
        try watch.round {
            for _ in 0..<10 {
                try one.bring(100_000)
                try other.bring(1000)
                watch.deliver(1000)
                watch.check()
                if one.isShutDown { break }
            }
        }
        #expect(one.isShutDown)
        #expect(!other.isShutDown)
    }

    @Test func roundsThatReturnAreNotAFlood() throws {
        for _ in 0..<10 {
            try watch.round {
                try one.bring(1000)
                watch.check()
            }
            watch.check()
        }
        #expect(!one.isShutDown)
    }

    @Test(arguments: [0, 40_000])
    func roundsThatReturnWithoutContentEndAConnectionAtItsLimit(content: Int) throws {
        let piece = 65_536
        for _ in 0...SocketWatch.maximumEmptyBytes / UInt64(piece) {
            #expect(!one.isShutDown)
            try watch.round {
                try one.bring(piece)
                watch.deliver(content)
            }
            watch.check()
        }
        expectEqual(one.isShutDown, content == 0)
    }

    @Test func aRoundThatIsHeldUpElsewhereEndsNoConnection() throws {
        // A delegate that waits for the disk: bytes arrive, and the thread does not read them.
        try watch.round {
            for _ in 0..<10 {
                try one.send(1000)
                watch.check()
            }
        }
        try one.take(10_000)
        #expect(!one.isShutDown)
    }

    @Test func everyConnectionCanBeShutDownAtOnce() {
        watch.shutDownAll()
        #expect(one.isShutDown)
    }
}
