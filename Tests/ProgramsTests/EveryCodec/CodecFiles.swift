import Foundation
import SystemCalls
import TestSupport
import Testing

/// The same speech in every form that podcasts use, encoded by ffmpeg, and files with faults.
struct CodecFiles {
    struct File: Sendable {
        var title: String
        var bytes: [UInt8]
        /// Whether it plays from its beginning to its end.
        var isWhole = true
    }

    /// Names and ffmpeg's options; the suffix decides the container.
    private static let forms: [(name: String, suffix: String, options: [String])] = [
        ("MP3 of variable bit rate", "mp3", ["-c:a", "libmp3lame", "-q:a", "6"]),
        ("MP4 with its index first", "m4a", ["-c:a", "aac", "-b:a", "48k", "-movflags", "+faststart"]),
        ("MP4 with its index last", "m4a", ["-c:a", "aac", "-b:a", "48k"]),
        (
            "MP4 in fragments", "m4a",
            ["-c:a", "aac", "-b:a", "48k", "-movflags", "+frag_keyframe+empty_moov", "-frag_duration", "2000000"]
        ),
        ("ADTS", "aac", ["-c:a", "aac", "-b:a", "48k"]),
        ("Opus", "opus", ["-c:a", "libopus", "-b:a", "24k"]),
        ("Vorbis", "ogg", ["-c:a", "libvorbis", "-q:a", "1"]),
        ("FLAC", "flac", ["-c:a", "flac", "-ar", "16000"]),
        ("ALAC", "m4a", ["-c:a", "alac", "-ar", "16000"]),
        ("8 kHz", "wav", ["-c:a", "pcm_s16le", "-ar", "8000"]),
        ("96 kHz", "flac", ["-c:a", "flac", "-ar", "96000"]),
        ("7.1", "flac", ["-c:a", "flac", "-ac", "8", "-ar", "16000"]),
        ("WebM", "webm", ["-c:a", "libopus", "-b:a", "24k"]),
    ]

    let all: [File]
    /// Length of the whole ones.
    let seconds: Double

    /// - Parameters:
    ///   - folder: where ffmpeg may write.
    ///   - speech: an MP3 file to repeat.
    init(seconds: Double, in folder: String, of speech: [UInt8]) throws {
        self.seconds = seconds
        let source = folder + "/speech.mp3"
        try Data(speech).write(to: URL(filePath: source))
        let ffmpeg = try RequiredTool.ffmpeg.path()
        var files: [File] = []
        for (index, form) in Self.forms.enumerated() {
            let path = "\(folder)/\(index).\(form.suffix)"
            let arguments =
                ["-loglevel", "error", "-stream_loop", "-1", "-i", source, "-t", "\(seconds)"] + form.options + [path]
            let run = try Programs.run(
                Launch(ffmpeg, arguments, environment: ["PATH=/usr/bin:/bin"]), timeout: .seconds(300))
            try #require(run.status == 0, "\(form.name): \(run.errors)")
            files.append(File(title: form.name, bytes: Array(try Data(contentsOf: URL(filePath: path)))))
        }
        all = files + Self.faulty(files)
    }

    private static func faulty(_ whole: [File]) -> [File] {
        func bytes(_ title: String) -> [UInt8] { whole.first { $0.title == title }?.bytes ?? [] }
        func damaged(_ file: [UInt8]) -> [UInt8] {
            var file = file
            for index in file.count / 3..<min(file.count, file.count / 3 + 10_000) {
                file[index] = UInt8(truncatingIfNeeded: index &* 197)
            }
            return file
        }
        let mp3 = bytes("MP3 of variable bit rate")
        let files: [(String, [UInt8])] = [
            ("damaged MP3", damaged(mp3)), ("damaged Opus", damaged(bytes("Opus"))),
            ("damaged FLAC", damaged(bytes("FLAC"))), ("damaged ADTS", damaged(bytes("ADTS"))),
            ("half an MP4", Array(bytes("MP4 with its index first").dropLast(mp3.count / 4))),
            ("an MP4 without its index", Array(bytes("MP4 with its index last").dropLast(4000))),
            ("MP3 that goes on as ADTS", mp3.prefix(mp3.count / 2) + bytes("ADTS")),
            ("a web page", Array("<!DOCTYPE html><html><body>Not found</body></html>".utf8)),
            ("MIDI", Array("MThd".utf8) + [0, 0, 0, 6, 0, 1, 0, 1, 0, 96] + Array("MTrk".utf8) + [0, 0, 0, 0]),
            ("nothing", []),
        ]
        return files.map { File(title: $0.0, bytes: $0.1, isWhole: false) }
    }
}
