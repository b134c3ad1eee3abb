"""Devices that synchronize through gPodder's interface. Usage: gpodder_story.py URL NAME PASSWORD FEED EPISODE"""
import sys
import urllib.request

from mygpoclient import api, http, simple

url, name, password, feed, episode = sys.argv[1:6]
# The library's clients cannot be given a path below the host.
root = url.rstrip("/")
phone = api.MygPodderClient(name, password, root)

# A device, and a subscription that comes from it.
assert phone.update_device_settings("phone", "My phone", "mobile")
devices = phone.get_devices()
assert [(one.device_id, one.caption, one.type) for one in devices] == [("phone", "My phone", "mobile")], devices
assert phone.pull_subscriptions("phone", 0).add == []
result = phone.update_subscriptions("phone", [feed], [])
assert result.update_urls == [] and result.since > 1_700_000_000, result
assert phone.pull_subscriptions("phone", 0).add == [feed]
assert phone.get_subscriptions("phone") == [feed]
assert phone.put_subscriptions("phone", [feed])

# What was heard on the phone is there for the tablet.
assert phone.download_episode_actions(0).actions == []
heard = api.EpisodeAction(feed, episode, "play", "phone", "2026-11-20T10:00:00", 0, 17, 40)
since = phone.upload_episode_actions([heard])
tablet = api.MygPodderClient(name, password, root)
actions = tablet.download_episode_actions(0, device_id="tablet").actions
assert [(one.podcast, one.episode, one.action, one.position, one.timestamp) for one in actions] == [
    (feed, episode, "play", 17, "2026-11-20T10:00:00")], [vars(one) for one in actions]
assert actions[0].total > 17

# The later act stays, also if it comes first.
later = api.EpisodeAction(feed, episode, "play", "tablet", "2026-11-22T10:00:00", 0, 30, 40)
earlier = api.EpisodeAction(feed, episode, "play", "phone", "2026-11-21T10:00:00", 0, 20, 40)
tablet.upload_episode_actions([later])
phone.upload_episode_actions([earlier])
assert [one.position for one in phone.download_episode_actions(since).actions] == [30]

# To the end, and back to new.
tablet.upload_episode_actions([api.EpisodeAction(feed, episode, "play", "tablet", "2026-11-23T10:00:00", 0, 40, 40)])
ended = phone.download_episode_actions(0).actions
assert [(one.action, one.position == one.total) for one in ended] == [("play", True)], [vars(one) for one in ended]
tablet.upload_episode_actions([api.EpisodeAction(feed, episode, "new", "tablet", "2026-11-24T10:00:00")])
assert [one.action for one in phone.download_episode_actions(0).actions] == ["new"]
# Nonsense changes nothing, and breaks nothing.
tablet.upload_episode_actions([
    api.EpisodeAction(feed, episode, "download", "tablet", "2026-11-25T10:00:00"),
    api.EpisodeAction("http://127.0.0.1:9/other", "http://127.0.0.1:9/other.mp3", "play", "tablet", "2026-11-25T10:00:00", 0, 1, 40)])
assert [one.action for one in phone.download_episode_actions(0).actions] == ["new"]

# Another user's devices are refused, and so is a wrong password.
for wrong, secret in ((name, "wrong"), ("bert", password)):
    try:
        simple.SimpleClient(wrong, secret, root).get_subscriptions("phone")
        assert False, "no refusal"
    except http.Unauthorized:
        pass

# A session is a cookie.
opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
login = urllib.request.Request(f"{root}/api/2/auth/{name}/login.json", method="POST", data=b"")
import base64
login.add_header("Authorization", "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode())
assert opener.open(login).status == 200
assert feed.encode() in opener.open(f"{root}/subscriptions/{name}/phone.txt").read()
assert b"<opml" in opener.open(f"{root}/subscriptions/{name}/phone.opml").read()
try:
    urllib.request.urlopen(f"{root}/subscriptions/{name}/phone.txt")
    assert False, "no login was asked for"
except urllib.error.HTTPError as error:
    assert error.code == 401, error

# The same through Nextcloud's paths.
import json
def nextcloud(path, body=None):
    request = urllib.request.Request(f"{root}/index.php/apps/gpoddersync/{path}", data=body and json.dumps(body).encode())
    request.add_header("Authorization", login.get_header("Authorization"))
    return json.load(urllib.request.urlopen(request))
assert nextcloud("subscriptions")["add"] == [feed]
answer = nextcloud("episode_action/create", [{
    "podcast": feed, "episode": episode, "guid": "", "action": "PLAY", "timestamp": "2026-11-26T10:00:00",
    "started": 0, "position": 25, "total": 40}])
assert answer["timestamp"] > 0
assert [(one["action"], one["position"]) for one in nextcloud("episode_action?since=0")["actions"]] == [("play", 25)]

# The subscription goes as it came.
phone.update_subscriptions("phone", [], [feed])
assert phone.pull_subscriptions("phone", 1).remove == [feed]
assert phone.get_subscriptions("phone") == []
print("ok")
