internal import Glibc
internal import PodcastModel
internal import SystemCalls

extension LineLoop {
    /// After this time without a failure to accept, the next failure is reported again.
    private static let shortageEnds = Duration.seconds(60)

    func acceptAll(_ listener: LineListener) {
        // Accept a limited number of connections, so that other connections are served in between.
        for _ in 0..<64 {
            do throws(SystemError) {
                guard let descriptor = try server.limits.calls.accept(listener.descriptor.raw) else { return }
                admit(descriptor, of: listener, isShort: false)
            } catch {
                let isShort = error.code == EMFILE || error.code == ENFILE
                guard isShort, acceptWithSpare(listener) else { return pauseListening(after: error) }
            }
        }
    }

    /// Without a descriptor to accept with, the listener would stay readable and the thread would not sleep.
    private func acceptWithSpare(_ listener: LineListener) -> Bool {
        defer { spares.refill() }
        guard spares.giveUpOne(), let descriptor = try? server.limits.calls.accept(listener.descriptor.raw) else {
            return false
        }
        reportShortage("no file descriptors are left")
        admit(descriptor, of: listener, isShort: true)
        return true
    }

    /// Ignores the listeners for a while, because another attempt would fail like this one.
    private func pauseListening(after error: SystemError) {
        reportShortage(error.description)
        setListening([])
        resumeListening = .now + server.limits.acceptPause
    }

    func listenAgain() {
        resumeListening = nil
        spares.refill()
        setListening(.readable)
    }

    private func setListening(_ readiness: EventPoll.Readiness) {
        for (index, listener) in listeners.enumerated() {
            try? poll.change(listener.descriptor.raw, token: UInt64(index) + 1, to: readiness)
        }
    }

    /// Reports the first of consecutive failures.
    private func reportShortage(_ cause: String) {
        let now = Instant.now
        if lastShortage.map({ now - $0 > Self.shortageEnds }) ?? true {
            server.report(
                "new connections are refused or delayed: \(cause); raise the limit of open files of this program")
        }
        lastShortage = now
    }

    private func admit(_ descriptor: consuming FileDescriptor, of listener: LineListener, isShort: Bool) {
        let raw = descriptor.raw
        guard let peer = listener.peer(of: raw) else { return }
        do throws(LineProblem) {
            let place = try shares.place(
                for: peer, isOwner: service.isOwner(peer), descriptors: Int(clamping: DescriptorLimit.current),
                isShort: isShort)
            if isShort, !spares.sufficesForConnection { throw .noDescriptors }
            begin(LineConnection(id: nextToken, peer: peer, descriptor: descriptor, place: place, schedule: schedule))
        } catch {
            refuse(raw, service.line(reporting: error))
        }
    }

    private func begin(_ connection: LineConnection) {
        let raw = connection.descriptor.raw
        do throws(LineRefusal) {
            let session = try service.session(on: connection)
            guard (try? poll.add(raw, token: connection.id, for: .readable)) != nil else { return session.closed() }
            connection.session = session
        } catch {
            return refuse(raw, error.line)
        }
        nextToken += 1
        connections[connection.id] = connection
        shares.open(connection.peer, connection.place)
        server.counters.accepted.increment()
        flush(connection)
    }

    private func refuse(_ raw: Int32, _ line: [UInt8]) {
        server.counters.refused.increment()
        // The socket of a new connection has room for a line.
        _ = line.withUnsafeBytes { line in try? LocalSocket.send(raw, line) }
    }
}
