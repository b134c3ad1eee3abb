import MediaPorts
import PodcastModel

@testable import Playback

let first = QueueEntry(id: EntryID(1), episode: EpisodeID(11))
let second = QueueEntry(id: EntryID(2), episode: EpisodeID(22))
let firstMedia = {
    var media = PlaybackMedia(
        url: "http://host.example/1.mp3", title: "One", resumePosition: MediaTime(seconds: 100))
    (media.feed, media.feedTitle) = (FeedID(1), "Show")
    media.duration = MediaTime(seconds: 3600)
    return media
}()
let secondMedia = PlaybackMedia(url: "http://host.example/2.mp3", title: "Two")
let mp3 = StreamInfo(
    container: "mp3", codec: "mp3", format: PCMFormat(rate: 44_100, channels: 2, type: .int16))
let gone = MediaFailure(.notFound, "the file is not there (404)")
let offline = MediaFailure(.network, "the host does not answer")
let broken = MediaFailure(.damaged, "the decoder gave up")
let full = MediaFailure(.storage, "the disk is full")
let replaced = MediaFailure(.changed, "the file changed at its host")

/// The failure of an episode, told while another one plays.
func failure(_ failure: MediaFailure, of title: String) -> MediaFailure {
    var failure = failure
    failure.title = title
    return failure
}

func seconds(_ value: Double) -> MediaTime { MediaTime(seconds: value) }

extension PlayerStateMachine {
    /// Handles events whose actions are of no interest.
    mutating func take(_ events: PlayerEvent...) {
        for event in events { _ = handle(event) }
    }
}

/// The states that differ in what may follow, each with the shortest way there. `first` is under way in all that
/// have an entry, as session 1; its newest generation is 1, or 2 after a seek.
enum Situation: String, CaseIterable {
    case neverStarted, asked, ended, failed
    case choosing, resolving, opening
    case filling, seeking, starved, sinkless
    case sounding, decoded, doomed
    case heldChoosing, heldResolving, heldOpening, held, heldLong

    var machine: PlayerStateMachine {
        var machine = PlayerStateMachine()
        for event in script { _ = machine.handle(event) }
        return machine
    }

    private var script: [PlayerEvent] {
        let resolving: [PlayerEvent] = [.play(first, at: nil)]
        let opening = resolving + [.resolved(session: 1, firstMedia)]
        let filling = opening + [.decoder(session: 1, .opened(mp3))]
        let sounding = filling + [.renderer(.started(generation: 1))]
        return switch self {
        case .neverStarted: []
        case .asked: sounding + [.stop]
        case .ended: sounding + [.renderer(.ended(generation: 1)), .chosen(request: 1, nil)]
        case .failed: opening + [.decoder(session: 1, .failed(offline)), .chosen(request: 1, nil)]
        case .choosing: [.resume]
        case .resolving: resolving
        case .opening: opening
        case .filling: filling
        case .seeking: sounding + [.seek(.absolute(MediaTime(seconds: 200)))]
        case .starved: sounding + [.renderer(.underrun(generation: 1))]
        case .sinkless: sounding + [.renderer(.sinkFailed(SinkError("unplugged", isTemporary: true)))]
        case .sounding: sounding
        case .decoded: sounding + [.decoder(session: 1, .reachedEnd(generation: 1, duration: MediaTime(seconds: 300)))]
        case .doomed: sounding + [.decoder(session: 1, .failed(broken))]
        case .heldChoosing: [.resume, .pause]
        case .heldResolving: resolving + [.pause]
        case .heldOpening: opening + [.pause]
        case .held: sounding + [.pause]
        case .heldLong:
            sounding + [.decoder(session: 1, .waitingForBytes(offset: 5_000)), .pause, .heldLong(generation: 1)]
        }
    }
}

/// Every kind of event, also the stale ones, as rows of the table of transitions.
let rows: [(name: String, event: PlayerEvent)] = [
    ("play another", .play(second, at: nil)),
    ("play the same", .play(first, at: nil)),
    ("play at", .play(first, at: MediaTime(seconds: 50))),
    ("resume", .resume),
    ("pause", .pause),
    ("toggle", .toggle),
    ("stop", .stop),
    ("seek", .seek(.absolute(MediaTime(seconds: 20)))),
    ("seek by", .seek(.relative(MediaTime(seconds: -20)))),
    ("next", .step(.next)),
    ("previous", .step(.previous)),
    ("shutdown", .shutdown),
    ("queue changed", .queueChanged),
    ("removed", .removed([first.id])),
    ("chosen", .chosen(request: 1, second)),
    ("chosen none", .chosen(request: 1, nil)),
    ("chosen late", .chosen(request: 99, second)),
    ("choice failed", .choiceFailed(request: 1, MediaFailure(.storage, "locked"))),
    ("resolved", .resolved(session: 1, firstMedia)),
    ("resolved late", .resolved(session: 99, firstMedia)),
    ("unresolved", .resolutionFailed(session: 1, gone)),
    ("unresolved late", .resolutionFailed(session: 99, gone)),
    ("start failed", .startFailed(session: 1, MediaFailure(.internal, "no process"))),
    ("start failed late", .startFailed(session: 99, broken)),
    ("source connects", .source(session: 1, .connecting)),
    ("source retries", .source(session: 1, .waitingToRetry(attempt: 1, delay: 2, reason: "reset"))),
    ("source gone", .source(session: 1, .failed(gone))),
    ("source offline", .source(session: 1, .failed(offline))),
    ("source late", .source(session: 99, .failed(gone))),
    ("opened", .decoder(session: 1, .opened(mp3))),
    ("needs bytes", .decoder(session: 1, .waitingForBytes(offset: 5_000))),
    ("decoding", .decoder(session: 1, .decoding)),
    ("positioned", .decoder(session: 1, .positioned(generation: 1, at: MediaTime(seconds: 20)))),
    ("positioned 2", .decoder(session: 1, .positioned(generation: 2, at: MediaTime(seconds: 20)))),
    ("reached end", .decoder(session: 1, .reachedEnd(generation: 1, duration: MediaTime(seconds: 300)))),
    ("restarted", .decoder(session: 1, .restarted(reason: "it hung"))),
    ("decoder damaged", .decoder(session: 1, .failed(broken))),
    ("file changed", .decoder(session: 1, .failed(replaced))),
    ("decoder late", .decoder(session: 99, .failed(broken))),
    ("started", .renderer(.started(generation: 1))),
    ("started 2", .renderer(.started(generation: 2))),
    ("underrun", .renderer(.underrun(generation: 1))),
    ("resumed", .renderer(.resumed(generation: 1))),
    ("ended", .renderer(.ended(generation: 1))),
    ("ended late", .renderer(.ended(generation: 99))),
    ("sink lost", .renderer(.sinkFailed(SinkError("unplugged", isTemporary: true)))),
    ("sink dead", .renderer(.sinkFailed(SinkError("no such device")))),
    ("sink back", .renderer(.sinkRecovered)),
    ("record failed", .recordFailed(MediaFailure(.storage, "disk full"))),
    ("record recovered", .recordRecovered),
    ("held long", .heldLong(generation: 1)),
    ("retry is due", .retryIsDue(session: 1)),
    ("fell asleep", .fellAsleep(at: MediaTime(seconds: 100))),
    ("time passed", .timePassed),
]
