"""The inputs: feeds and audio, created once in .build/bench. The same arguments give the same bytes."""
import random
import subprocess

from measure import WORK, say

WORDS = ("the a of and to in is it that for on with as was at by this from or an be are not but have they which one you were "
         "all their there been if more when will would who so no out up into them then time made over did down only way could "
         "people water first been called long find get come work part sound take place year live back give most very after "
         "thing our name good sentence man think say great where help through much before line right too mean old any same").split()


def paragraph(source, length):
    words = []
    while sum(map(len, words)) + len(words) < length:
        words.append(source.choice(WORDS))
    return " ".join(words).capitalize() + "."


def item(source, feed, number, body):
    notes = "".join(f"<p>{paragraph(source, 180)} <a href=\"https://example.org/{number}?a=1&amp;b=2\">more</a></p>"
                    for _ in range(max(1, body // 220)))
    return f"""<item>
<title>Episode {number}: {paragraph(source, 40)}</title>
<guid isPermaLink="false">feed-{feed}-episode-{number}</guid>
<link>https://example.org/{feed}/{number}</link>
<pubDate>Mon, {1 + number % 28:02d} {'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split()[number % 12]} 2{number % 9 + 11:03d} 07:00:00 +0000</pubDate>
<description><![CDATA[{notes}]]></description>
<content:encoded><![CDATA[{notes}]]></content:encoded>
<itunes:duration>{number % 3 + 1}:{number % 60:02d}:{number % 59:02d}</itunes:duration>
<itunes:episode>{number}</itunes:episode><itunes:explicit>false</itunes:explicit>
<itunes:image href="https://img.example.org/{feed}/{number}.jpg"/>
<enclosure url="https://cdn.example.org/{feed}/{number}.mp3?token=x&amp;y=1" type="audio/mpeg" length="{number * 1000 + 17}"/>
</item>
"""


def feed(number, items, body):
    source = random.Random(number)
    head = f"""<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Feed {number}</title><link>https://example.org/{number}</link><description>{paragraph(source, 200)}</description>
"""
    return head + "".join(item(source, number, n, body) for n in range(1, items + 1)) + "</channel></rss>\n"


def big_feed():
    path = WORK / "big.xml"
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        say("  making a feed of 5,000 items")
        path.write_text(feed(0, 5000, 700))
    return path


def small_feeds(count=1000):
    folder = WORK / "small"
    if not folder.exists():
        folder.mkdir(parents=True)
        say(f"  making {count} feeds of 30 items")
        for number in range(count):
            (folder / f"{number:04d}.xml").write_text(feed(number + 1, 30, 700))
    return sorted(folder.glob("*.xml"))


def hour_mp3(minutes=60):
    """Stereo at 128 kbit/s: two slowly beating voices over noise, so that no frame is trivial."""
    path = WORK / f"{minutes}-minutes.mp3"
    if not path.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        say(f"  making {minutes} minutes of audio")
        raw = WORK / "raw.wav"
        length = str(minutes * 60)
        subprocess.run(["sox", "-R", "-n", "-r", "44100", "-c", "2", "-b", "16", raw, "synth", length, "pinknoise", "synth", length,
                        "sine", "mix", "220-880", "synth", length, "sine", "amod", "3", "gain", "-9"], check=True)
        subprocess.run(["lame", "--quiet", "-q", "7", "-b", "128", "-m", "j", raw, path], check=True)
        raw.unlink()
    return path


def encoded(suffix, minutes, *options):
    """The audio of `hour_mp3`, encoded again by ffmpeg with these options."""
    path = WORK / f"{minutes}-minutes.{suffix}"
    if not path.exists():
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-i", hour_mp3(minutes), *options, path], check=True)
    return path
