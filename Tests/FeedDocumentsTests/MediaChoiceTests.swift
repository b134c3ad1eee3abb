import FeedDocuments
import PodcastModel
import TestSupport
import Testing

/// Which of an item's files is played.
struct MediaChoiceTests {
    private func media(_ elements: String) throws -> String? { try item(elements).media?.url }

    private func enclosure(_ name: String, _ type: String) -> String {
        #"<enclosure url="https://cdn.example/\#(name)" type="\#(type)" length="1"/>"#
    }

    @Test(arguments: [
        ("a.torrent", "application/x-bittorrent"), ("a.zip", "application/zip"), ("a.epub", "application/epub+zip"),
        ("p.html", "text/html"), ("a.srt", "application/x-subrip"), ("a.vtt", "text/vtt"), ("a.pdf", ""),
        ("a.m3u", "audio/x-mpegurl"), ("a.m3u8", "application/x-mpegURL"), ("hls", "application/vnd.apple.mpegurl"),
        ("a.m3u8", "audio/mpeg"), ("a.jpg", "image/jpeg"), ("a.jpg", ""), ("video.mp4", "video/mp4"), ("download", ""),
    ])
    func soundIsPlayedWhateverComesFirst(name: String, type: String) throws {
        for sound in [("a.mp3", "audio/mpeg"), ("episode", "audio/mpeg; charset=binary"), ("a.m4a?x=1", "")] {
            let (other, sound) = (enclosure(name, type), enclosure(sound.0, sound.1))
            try expectEqual(media(other + sound), media(sound))
            try expectEqual(media(sound + other), media(sound))
        }
    }

    @Test func theFirstOfEqualsIsPlayed() throws {
        try expectEqual(
            media(enclosure("1.mp3", "audio/mpeg") + enclosure("2.ogg", "audio/ogg")), "https://cdn.example/1.mp3")
    }

    @Test func videoComesBeforeUnknownFilesAndAPlaylistLast() throws {
        let (video, unknown) = (enclosure("v.mp4", "video/mp4"), enclosure("x", "application/octet-stream"))
        let playlist = enclosure("v.m3u8", "application/x-mpegurl")
        try expectEqual(media(playlist + unknown + video), "https://cdn.example/v.mp4")
        try expectEqual(media(playlist + unknown), "https://cdn.example/x")
        try expectEqual(
            media(enclosure("t.torrent", "application/x-bittorrent") + playlist), "https://cdn.example/v.m3u8")
    }

    @Test(arguments: [
        ("a.torrent", "application/x-bittorrent"), ("a.zip", "application/zip"), ("b.epub", ""),
        ("p.html", "text/html"),
        ("a.srt", "text/plain"), ("list.m3u", "audio/mpegurl"), ("a.pdf", "application/pdf"),
    ])
    func anItemWithDocumentsAloneHasNothingToPlay(name: String, type: String) throws {
        let document = try parse(rss(item: enclosure(name, type)))
        #expect(!document.isPodcast && document.contents.items[0].media == nil)
    }

    @Test func aWrongTypeOfDocumentsDoesNotHideASound() throws {
        try expectEqual(media(enclosure("a.mp3", "text/plain")), "https://cdn.example/a.mp3")
    }

    @Test func aTorrentDoesNotHideTheMediaGroup() throws {
        let document = try parse(
            rss(
                item: enclosure("a.torrent", "application/x-bittorrent") + """
                    <media:group><media:content url="https://cdn.example/v.mp4" type="video/mp4" height="360"/>
                    <media:content url="https://cdn.example/v720.mp4" type="video/mp4" height="720"/></media:group>
                    """))
        #expect(document.isPodcast)
        expectEqual(document.contents.items[0].media?.url, "https://cdn.example/v.mp4")
    }

    @Test func aMediaContentIsKnownByItsName() throws {
        try expectEqual(media(#"<media:content url="https://cdn.example/a.mp3"/>"#), "https://cdn.example/a.mp3")
        try expectEqual(media(#"<media:content url="https://cdn.example/page"/>"#), nil)
    }

    @Test func aLinkToASoundIsPlayedIfThereIsNothingElse() throws {
        let link = "<link>https://cdn.example/a.mp3?0</link>"
        try expectEqual(media(link), "https://cdn.example/a.mp3?0")
        try expectEqual(media(link + enclosure("b.mp3", "audio/mpeg")), "https://cdn.example/b.mp3")
        try expectEqual(media(link + enclosure("a.zip", "application/zip")), "https://cdn.example/a.mp3?0")
        try expectEqual(media("<link>https://example.com/episodes/1</link>"), nil)
    }

    @Test func atomsLinksAreChosenFromAlike() throws {
        try expectEqual(
            media(
                """
                <atom:link rel="enclosure" type="text/html" href="https://cdn.example/p.html"/>
                <atom:link rel="enclosure" type="audio/ogg" href="https://cdn.example/a.ogg"/>
                """), "https://cdn.example/a.ogg")
    }
}
