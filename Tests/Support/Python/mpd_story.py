"""A listener with python-mpd2: Home Assistant uses it too. Arguments: host, port."""
import sys

import mpd

client = mpd.MPDClient()
client.timeout = 60
client.connect(sys.argv[1], int(sys.argv[2]))
assert client.mpd_version.startswith("0.23"), client.mpd_version
assert "status" in client.commands() and "kill" not in client.commands()

# As Home Assistant does at its start and every ten seconds.
status = client.status()
assert status["state"] == "stop" and {"repeat", "random", "single", "volume"} <= status.keys(), status
assert client.currentsong() == {}
assert any(one["playlist"] == "new" for one in client.listplaylists())

songs = [one for one in client.listallinfo() if "file" in one]
assert [one["title"] for one in songs] == ["Alpha", "Beta", "Gamma"], songs
assert songs[0]["album"] == songs[0]["artist"] == "Talks"
assert client.list("album")[0]["album"] == "Talks"
assert client.search("title", "bet")[0]["title"] == "Beta"
assert client.find("(title == 'Beta')")[0]["file"] == songs[1]["file"]
assert client.lsinfo()[0]["directory"] == "Talks"

client.clear()
client.add(songs[0]["file"])
number = client.addid(songs[1]["file"], 0)
assert [one["title"] for one in client.playlistinfo()] == ["Beta", "Alpha"]
client.playid(number)
assert client.status()["songid"] == number
assert client.currentsong()["title"] == "Beta"
while "duration" not in client.status():
    client.idle("player")
client.pause(1)
assert client.status()["state"] == "pause"
client.seekcur("12")
assert 11 < float(client.status()["elapsed"]) < 14
client.seekcur("+3")
client.pause(0)
assert client.status()["state"] == "play"
client.setvol(55)
assert client.status()["volume"] == "55"
client.next()
assert client.currentsong()["title"] == "Alpha"
client.stop()
assert client.status()["state"] == "stop"

client.sticker_set("song", songs[2]["file"], "note", "hear it")
assert client.sticker_get("song", songs[2]["file"], "note") == "hear it"
assert client.outputs()[0]["outputenabled"] == "1"
assert client.readpicture(songs[0]["file"]) == {}
try:
    client.albumart(songs[0]["file"])
    raise SystemExit("albumart of an episode without a cover must fail")
except mpd.CommandError as error:
    assert error.errno == mpd.FailureResponseCode.NO_EXIST, error

client.command_list_ok_begin()
client.status()
client.currentsong()
assert len(client.command_list_end()) == 2

other = mpd.MPDClient()
other.connect(sys.argv[1], int(sys.argv[2]))
other.clear()
assert "playlist" in client.idle()
client.disconnect()
