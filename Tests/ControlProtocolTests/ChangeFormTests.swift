import ControlLanguage
import ControlProtocol
import JSON
import PodcastModel
import TestSupport
import Testing

struct ChangeFormTests {
    private static let episode = EpisodeIdentity(
        guid: "g", url: "https://media.example/1.mp3", title: "One", published: Timestamp(seconds: 1_700_000_000),
        duration: MediaTime(seconds: 1800))

    /// A change with all members of its kind.
    private func change(_ kind: LibraryChange.Kind) -> LibraryChange {
        let form = kind.form
        var subject = LibraryChange.Subject(kind)
        if form.owner != .none { subject.feed = "https://feeds.example/show" }
        if form.owner == .episode { subject.episode = Self.episode }
        switch form.name {
        case .none: break
        case .text: subject.name = "a name"
        case .number: subject.name = "17"
        case .numberInList: subject.name = "17 a list"
        }
        let value = LibraryChange.Value(
            text: form.textBytes.map { _ in "a text" }, position: form.hasPosition ? MediaTime(seconds: 7) : nil,
            place: form.hasPlace ? 5 : nil)
        var change = LibraryChange(subject, value, at: Timestamp(milliseconds: 1_800_000_000_123), in: "phone")
        change.revision = 9
        return change
    }

    @Test(arguments: LibraryChange.Kind.allCases)
    func aChangeOfEachKindIsReadAsItWasWritten(kind: LibraryChange.Kind) {
        var change = change(kind)
        expectEqual(LibraryChange(json: change.json), change)
        change.value = nil
        // A position is never removed.
        expectEqual(LibraryChange(json: change.json), kind == .playback ? nil : change)
    }

    @Test func aValueOfAnotherTypeIsNoRemoval() throws {
        let text =
            #"{"kind":"subscription","feed":"https://a.example/f","device":"d","time":"2026-01-01T00:00:00Z","value":"#
        expectEqual(LibraryChange(json: try JSONValue(parsing: text + "true}")), nil)
        expectEqual(LibraryChange(json: try JSONValue(parsing: text + "null}"))?.value, nil)
        #expect(LibraryChange(json: try JSONValue(parsing: text + "{}}"))?.value != nil)
    }

    @Test func aTimeBefore1970IsUnknown() throws {
        let text =
            #"{"kind":"star","feed":"https://a.example/f","episode":{"url":"https://a.example/1"},"device":"d","time":"0001-01-01T00:00:00Z"}"#
        expectEqual(LibraryChange(json: try JSONValue(parsing: text))?.time, Timestamp(seconds: 0))
        expectEqual(change(.star).time, Timestamp(milliseconds: 1_800_000_000_123))
    }

    @Test(arguments: LibraryChange.Kind.allCases)
    func aChangeThatLacksAMemberOfItsKindIsNotRead(kind: LibraryChange.Kind) {
        let form = kind.form
        if form.owner == .episode {
            var change = change(kind)
            change.subject.episode = nil
            #expect(LibraryChange(json: change.json) == nil)
        }
        if form.owner == .feed {
            var change = change(kind)
            change.subject.feed = nil
            #expect(LibraryChange(json: change.json) == nil)
        }
        if case .numberInList = form.name {
            for name in ["", "17", "17 ", "seven a list", "007 a list"] {
                var change = change(kind)
                change.subject.name = name
                #expect(LibraryChange(json: change.json) == nil, "\(name)")
            }
        }
        if case .number = form.name {
            for name in ["", "seven", "007", "99999999999999999999"] {
                var change = change(kind)
                change.subject.name = name
                #expect(LibraryChange(json: change.json) == nil)
            }
        }
        var other = change(kind)
        other.value?.text = form.textBytes == nil ? "a text" : nil
        #expect(LibraryChange(json: other.json) == nil)
        other = change(kind)
        other.value?.place = form.hasPlace ? nil : 5
        #expect(LibraryChange(json: other.json) == nil)
    }
}
