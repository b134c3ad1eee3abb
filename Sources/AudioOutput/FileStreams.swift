internal import Glibc
internal import MediaPorts
internal import PodcastModel
internal import SystemCalls

extension OutputKind {
    /// A WAV file, overwritten.
    static let wav = OutputKind(
        name: "wav", parameter: .required("PATH"), inspect: { PCMFile.condition(of: $0.parameter) },
        makeSink: { try $1.sink($0, FileStream(path: $0.parameter, hasHeader: true)) })

    /// PCM without a header, to a file that is overwritten; `-` is standard output.
    public static let raw = OutputKind(
        name: "raw", parameter: .required("PATH"),
        inspect: { $0.parameter == "-" ? .usable : PCMFile.condition(of: $0.parameter) },
        makeSink: { try $1.sink($0, FileStream(path: $0.parameter, hasHeader: false)) })
}

extension OutputCondition {
    static func unusable(_ cause: String) -> OutputCondition {
        .unusable(.other, cause, fix: "repair it, or set another output.sink in podcastd.conf")
    }

    /// - Parameter access: what podcastd needs, such as `write`.
    static func forbidden(_ path: String, _ access: String) -> OutputCondition {
        .unusable(
            .forbidden, "podcastd has no permission to use \(path)",
            fix: "give podcastd's user \(access) permission; a unit also needs the folder in ReadWritePaths=: "
                + "systemctl edit podcastd")
    }
}

/// A regular file that receives PCM after a header of a given length.
///
/// Counts sizes itself instead of asking for the file's size, because other programs may change the file.
final class PCMFile {
    let path: String
    private let headerSize: Int
    private let descriptor: FileDescriptor
    private(set) var dataBytes: Int64

    /// Creates or truncates the file. With `keeping`, continues after that many bytes of data from an earlier opening.
    init(path: String, headerSize: Int, keeping dataBytes: Int64?) throws(SinkError) {
        self.path = path
        self.headerSize = headerSize
        self.dataBytes = dataBytes ?? 0
        let flags = O_RDWR | O_NONBLOCK | (dataBytes == nil ? O_TRUNC : 0)
        descriptor = try mapError(of: FileDescriptor.openOrdinary(path, flags, mode: 0o644)) {
            PCMFile.failure($0, path)
        }
    }

    /// Appends whole frames.
    /// - Returns: number of bytes appended, at least one frame.
    func appendWhole(_ frames: UnsafeRawBufferPointer, frameSize: Int) throws(SinkError) -> Int {
        let count = try mapError(of: StoredFile.writeSome(descriptor.raw, at: Int64(headerSize) + dataBytes, frames)) {
            PCMFile.failure($0, path)
        }
        // The disk became full within a frame: that frame is written completely once there is room.
        let whole = count - count % frameSize
        guard whole > 0 else { throw SinkError("no space left for \(path); free some", isTemporary: true) }
        dataBytes += Int64(whole)
        return whole
    }

    func write(_ header: [UInt8]) throws(SinkError) {
        try mapError(of: StoredFile.write(descriptor.raw, at: 0, header)) { (error: SystemError) in
            PCMFile.failure(error, path)
        }
    }

    func takeBack(_ bytes: Int) {
        let kept = max(0, dataBytes - Int64(bytes))
        // If the file cannot be truncated, it keeps slightly more than was heard.
        guard bytes > 0 else { return }
        if (try? StoredFile.truncate(descriptor.raw, to: Int64(headerSize) + kept)) != nil { dataBytes = kept }
    }

    static func condition(of path: String) -> OutputCondition {
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
            return error.code == ENOENT ? .unusable("directory \(place) does not exist") : .forbidden(place, "write")
        }
    }

    /// A full disk may have room later; other errors of files remain until the user acts.
    static func failure(_ error: SystemError, _ path: String) -> SinkError {
        switch error.code {
        case ENOSPC, EDQUOT: SinkError("no space left for \(path) (\(error.reason)); free some", isTemporary: true)
        case ENOENT: SinkError("cannot write \(path): its directory does not exist; create it, or use another path")
        case EACCES, EPERM, EROFS: SinkError("cannot write \(path) (\(error.reason)); use another path")
        default: SinkError("cannot write \(path): \(error.reason)")
        }
    }
}

/// PCM to a file (overwritten), to standard output, or to another path such as a device.
///
/// With a header the file is a WAV file that is readable at all times: its header is updated after each second of sound.
/// Above 4 GiB it becomes an RF64 file (EBU Tech 3306); space for the larger header is reserved from the beginning.
final class FileStream: PipedStream {
    private let path: String
    private let hasHeader: Bool
    private var format = PCMFormat(rate: 44_100, channels: 2, type: .int16)
    private var file: PCMFile?
    /// Used in place of `file` if the path is not a regular file.
    private(set) var end: PipeEnd?
    private var dataBytes: Int64?
    /// Bytes of data according to the header.
    private var headerBytes: Int64 = 0

    init(path: String, hasHeader: Bool) {
        self.path = path
        self.hasHeader = hasHeader
    }

    private var shown: String { !hasHeader && path == "-" ? "standard output" : path }

    func open(_ format: PCMFormat) throws(SinkError) {
        self.format = format
        do throws(SystemError) {
            if !hasHeader { end = try path == "-" ? openStandardOutput() : openSpecialFile() }
        } catch  where error.code == ENXIO {
            throw SinkError("no program reads \(path) yet; start one", isTemporary: true)
        } catch { throw PCMFile.failure(error, shown) }
        if end != nil { return }
        file = try PCMFile(path: path, headerSize: hasHeader ? WAVHeader.size : 0, keeping: dataBytes)
        try updateHeader()
    }

    func write(_ frames: UnsafeRawBufferPointer) throws(SinkError) -> Int {
        if let end {
            do throws(SystemError) {
                return try end.write(frames)
            } catch  where error.code == EPIPE {
                throw SinkError("the reader of \(shown) closed it")
            } catch { throw PCMFile.failure(error, shown) }
        }
        guard let file else { throw SinkError("\(shown) is closed") }
        let count = try file.appendWhole(frames, frameSize: format.frameSize)
        if file.dataBytes - headerBytes >= Int64(format.rate * format.frameSize) { try updateHeader() }
        return count
    }

    func takeBack(_ bytes: Int) {
        end?.discardUnread()
        file?.takeBack(bytes)
    }

    var takesBackExactly: Bool { file != nil }

    func close() {
        // If the header cannot be written, the one of a second ago stays; the error can no longer be reported.
        try? updateHeader()
        dataBytes = file?.dataBytes ?? dataBytes
        file = nil
        end = nil
    }

    private func updateHeader() throws(SinkError) {
        guard let file else { return }
        if hasHeader { try file.write(WAVHeader.bytes(format, dataBytes: file.dataBytes)) }
        headerBytes = file.dataBytes
    }

    /// Other processes share the flags of standard output, so a pipe there is opened again; a terminal or a socket is
    /// written in small pieces when it has room.
    private func openStandardOutput() throws(SystemError) -> PipeEnd {
        let status = try FileStatus(of: STDOUT_FILENO)
        if status.isPipe {
            let own = try FileDescriptor.open("/proc/self/fd/\(STDOUT_FILENO)", O_WRONLY | O_NONBLOCK)
            return PipeEnd(own, frameSize: format.frameSize)
        }
        return PipeEnd(
            try FileDescriptor(duplicating: STDOUT_FILENO), frameSize: format.frameSize, isBlocking: !status.isRegular)
    }

    /// Nil if the file is regular or missing.
    private func openSpecialFile() throws(SystemError) -> PipeEnd? {
        do throws(SystemError) {
            if try FileStatus(path: path).isRegular { return nil }
        } catch  where error.code == ENOENT {
            return nil
        }
        return PipeEnd(try FileDescriptor.open(path, O_WRONLY | O_NONBLOCK), frameSize: format.frameSize)
    }
}

/// The bytes before the samples of a WAV file: RIFF with a `JUNK` chunk, which becomes `ds64` if the sizes need 64 bits.
enum WAVHeader {
    static let size = 80

    static func bytes(_ format: PCMFormat, dataBytes: Int64) -> [UInt8] {
        let riffBytes = dataBytes + Int64(size) - 8
        let isLarge = riffBytes > Int64(UInt32.max)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        func text(_ text: StaticString) { text.withUTF8Buffer { bytes.append(contentsOf: $0) } }
        func number<Number: FixedWidthInteger>(_ number: Number) {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        text(isLarge ? "RF64" : "RIFF")
        number(isLarge ? UInt32.max : UInt32(riffBytes))
        text("WAVE")
        text(isLarge ? "ds64" : "JUNK")
        number(UInt32(28))
        number(isLarge ? riffBytes : 0)
        number(isLarge ? dataBytes : 0)
        number(isLarge ? dataBytes / Int64(format.frameSize) : 0)
        number(UInt32(0))
        text("fmt ")
        number(UInt32(16))
        number(UInt16(format.type == .float32 ? 3 : 1))
        number(UInt16(format.channels))
        number(UInt32(format.rate))
        number(UInt32(format.rate * format.frameSize))
        number(UInt16(format.frameSize))
        number(UInt16(format.type.size * 8))
        text("data")
        number(isLarge ? UInt32.max : UInt32(dataBytes))
        return bytes
    }
}
