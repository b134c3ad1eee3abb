internal import JSON
internal import PodcastModel

/// Podcasting 2.0's JSON transcripts (podcast-namespace, `transcripts/transcripts.md`).
enum JSONTranscript {
    static func read(_ text: String, into cues: inout CueCollection) throws(DocumentError) {
        let root: JSONValue
        do throws(JSONError) { root = try JSONValue(parsing: text) } catch {
            throw .noTranscript(reason: "invalid JSON: \(error)")
        }
        guard let segments = root["segments"]?.arrayValue ?? root.arrayValue else {
            throw .noTranscript(reason: "JSON without segments")
        }
        for segment in segments {
            let words = (segment["body"] ?? segment["text"])?.stringValue ?? ""
            guard let start = segment.time("startTime", "start") else {
                cues.passOver()
                continue
            }
            cues.add(
                Cue(
                    start: start, end: segment.time("endTime", "end"),
                    speaker: segment["speaker"]?.stringValue.flatMap(LineText.line), text: SpokenText.lines(words)))
        }
    }
}

/// Text without times: a cue for each paragraph.
enum PlainTranscript {
    static func read(_ text: String, into cues: inout CueCollection) {
        // Line by line, because show notes are cut at a length that transcripts can exceed.
        var lines: [String] = []
        for line in TextLines(text) {
            if let line = LineText.plain(line) {
                lines.append(line)
            } else {
                cues.add(Cue(text: lines.joinedText("\n")))
                lines = []
            }
        }
        cues.add(Cue(text: lines.joinedText("\n")))
    }
}
