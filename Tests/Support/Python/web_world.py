"""Makes a folder of invented shows with covers, for pictures of the web page. Usage: web_world.py FOLDER"""
import datetime
import pathlib
import subprocess
import sys
from xml.sax.saxutils import escape

folder = pathlib.Path(sys.argv[1])
SHOWS = {
    "whales": ("Whale Tales", "Ines Moreau", "8a3b6b", "d98abb", [
        "The baker and the whale", "How a humpback sings", "Maps of the sea", "The long dive", "A harbour in winter", "Krill"]),
    "cold": ("Cold Files", "M. Okafor", "1f4f46", "69b3a0", [
        "The lighthouse keeper's second ledger", "What the tide gave back", "A door in the quay wall", "Ninety-one steps"]),
    "north": ("Morning News North", "Public Radio North", "31508c", "86a9e6", [
        "Frost, ferries and a very short parliament", "The price of bread", "A bridge that was not built"]),
    "laila": ("ليلى", "ليلى حداد", "6d5a2b", "c9b271", ["حكاية البحّار والمنارة", "رحلة إلى الشمال", "أغاني الصيادين"]),
    "moon": ("Лунная станция", "Алексей Громов", "2b2f45", "7c86b8", ["Кратер Тихо", "Голоса с орбиты"]),
    "crumb": ("Crumb", "Ada & Noor", "a2552e", "e9a477", ["Sourdough, year ten", "Rye", "Salt and time"]),
    "garden": ("The Slow Garden", "Pia Lind", "3f6b2a", "9ac87b", ["Leaves", "A wall of pears", "Compost, a love story"]),
    "bus": ("Night Bus", "Rui Tavares", "7a2330", "e27a86", ["Line 9", "The depot", "Last stop"]),
}
CHAPTERS = "".join(f'<psc:chapter start="{start}" title="{title}"/>' for start, title in [
    ("0", "Hello"), ("00:04:10", "The bakery by the pier"), ("00:12:30", "Maps of the sea"), ("00:21:00", "A song under ice")])


def ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "lavfi", *arguments], check=True)


def item(key, number, title):
    day = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(days=6 * number + len(title) % 4, hours=3)
    part = f"<itunes:season>2</itunes:season><itunes:episode>{5 - number}</itunes:episode>" if key == "cold" else ""
    return f"""<item><title>{escape(title)}</title><guid>{key}-{number}</guid><pubDate>{day:%a, %d %b %Y %H:%M:%S +0000}</pubDate>{part}<itunes:duration>1800</itunes:duration>
        <enclosure url="audio.mp3" type="audio/mpeg" length="1"/><psc:chapters version="1.2">{CHAPTERS}</psc:chapters>
        <description>What was found, who found it, and why it matters today.</description></item>"""


ffmpeg("-i", "sine=f=220:d=1800", "-ac", "1", "-b:a", "16k", str(folder / "audio.mp3"))
for key, (title, author, first, second, episodes) in SHOWS.items():
    ffmpeg("-i", f"gradients=s=800x800:c0=0x{first}:c1=0x{second}:x0=0:y0=0:x1=800:y1=800:n=2:speed=0.00001:seed=3",
           "-frames:v", "1", str(folder / f"{key}.jpg"))
    (folder / f"{key}.xml").write_text(f"""<?xml version="1.0"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
        xmlns:psc="http://podlove.org/simple-chapters"><channel><title>{escape(title)}</title><itunes:author>{escape(author)}</itunes:author>
        <itunes:image href="{key}.jpg"/><description>Stories and interviews.</description>
        {"".join(item(key, number, one) for number, one in enumerate(episodes))}</channel></rss>""")
