"""Devices with app passwords, gPodder's settings and Nextcloud's login flow. Usage:
pairing_story.py URL URL NAME PASSWORD OTHER FEED PODCASTCTL SOCKET

Both addresses are of podcast-web with the same daemon. NAME may administer; the user OTHER, with the same password, may not.
"""
import base64
import json
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

from mygpoclient import api, http, simple

root, second, name, password, other, feed, podcastctl, socket = sys.argv[1:9]
root, second = root.rstrip("/"), second.rstrip("/")


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(NoRedirect)


def ask(path, login=None, body=None, headers={}, method=None):
    """Status and what the answer says, and its headers."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(root + path, data=data, headers=headers, method=method)
    if login:
        request.add_header("Authorization", "Basic " + base64.b64encode(":".join(login).encode()).decode())
    if body is not None and not isinstance(body, bytes):
        request.add_header("Content-Type", "application/json")
    try:
        answer = opener.open(request, timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    text = answer.read()
    return answer.status, json.loads(text) if "json" in answer.headers.get("Content-Type", "") else text, answer.headers


def devices():
    return {one["name"]: one for one in ask("/api/v1/devices", (name, password))[1]["devices"]}


# Only a user who may administer adds devices, and not from another site's form.
assert ask("/api/v1/devices", None, {"caption": "x"})[0] == 401
assert ask("/api/v1/devices", (other, password), {"caption": "x"})[0] == 403
assert ask("/api/v1/devices", (name, password), b"caption=x", {"Content-Type": "application/x-www-form-urlencoded"})[0] == 415
assert ask("/api/v1/devices", (name, password), {"caption": " \n"})[0] == 422
for body in ({}, {"caption": 1}, {"caption": "x", "more": "y"}):
    assert ask("/api/v1/devices", (name, password), body)[0] == 400, body
status, made, headers = ask("/api/v1/devices", (name, password), {"caption": "Anna’s \x1b[31mphone"})
assert status == 200 and headers["Cache-Control"] == "no-store" and made["user"] == name and made["server"] == root, made
secret = made["password"]
made["name"] = secret.partition(".")[0]
assert secret not in json.dumps(devices())
assert devices()[made["name"]]["owner"] == name and "\x1b" not in devices()[made["name"]]["caption"]

# The phone is one device, whatever its app calls it.
phone = api.MygPodderClient(name, secret, root)
assert phone.update_device_settings("antennapod-1", "AntennaPod", "mobile")
assert phone.update_subscriptions("antennapod-1", [feed], []).update_urls == []
assert phone.pull_subscriptions("antennapod-1", 0).add == [feed]
phone.upload_episode_actions([api.EpisodeAction(feed, feed + ".mp3", "play", "antennapod-1", "2026-11-20T10:00:00", 0, 17, 40)])
assert list(devices()) == [made["name"]] and devices()[made["name"]]["acts"] == 2, devices()
assert "phone" in devices()[made["name"]]["caption"]
assert ask("/index.php/apps/gpoddersync/subscriptions", (name, secret))[1]["add"] == [feed]

# The app password opens nothing else, and it is the password of its owner only. Each of these counts as a wrong login.
assert ask("/api/v1/queue", (name, secret))[0] == 401
assert ask("/events", (name, secret))[0] == 401
assert ask("/api/v1/devices", (name, secret), {"caption": "x"})[0] == 401
assert ask(f"/api/2/devices/{other}.json", (other, secret))[0] == 401
assert ask(f"/api/2/devices/{name}.json", (name, secret))[0] == 200

# Settings of gPodder's interface.
settings = f"/api/2/settings/{name}/"
login = (name, secret)
assert ask(settings + "account.json", login)[1] == {}
assert ask(settings + "account.json", login, {"set": {"a": 1, "b": {"c": [None, "ü"]}}})[1] == {"a": 1, "b": {"c": [None, "ü"]}}
assert ask(settings + "account.json", login, {"set": {"a": 2}, "remove": ["b", "missing"]})[1] == {"a": 2}
assert ask(settings + "device.json?device=one", login, {"set": {"x": True}})[1] == {"x": True}
assert ask(settings + "device.json?device=two", login)[1] == {}
quoted = urllib.parse.quote(feed, "")
assert ask(settings + f"podcast.json?podcast={quoted}", login, {"set": {"speed": 1.5}})[1] == {"speed": 1.5}
assert ask(settings + f"episode.json?podcast={quoted}&episode=http%3A%2F%2Fa.example%2Fe", login, {"set": {"flag": False}})[1] == {"flag": False}
assert ask(settings + f"episode.json?podcast={quoted}", login)[0] == 400
assert ask(settings + "device.json", login)[0] == 400
assert ask(settings + "planet.json", login)[0] == 404
for wrong in ({"k" * 101: 1}, {"": 1}, {"k": "x" * 4095}):
    assert ask(settings + "account.json", login, {"set": wrong})[0] == 422, wrong
assert ask(settings + "account.json", login, {"set": {f"k{n}": n for n in range(200)}})[0] == 409
assert ask(settings + "account.json", login)[1] == {"a": 2}
groups = ask(f"/api/2/sync-devices/{name}.json", login, {"synchronize": [["a", "b"]], "stop-synchronize": []})[1]
assert groups == {"synchronized": [[made["name"]]], "not-synchronized": []}, groups

# A client gets its password by Nextcloud's login flow.
status, flow, headers = ask("/index.php/login/v2", None, b"", {"User-Agent": "AntennaPod\x07/3.9"}, "POST")
assert status == 200 and headers["Cache-Control"] == "no-store" and flow["login"].startswith(root + "/"), flow
def poll(token=flow["poll"]["token"]):
    return ask(flow["poll"]["endpoint"].removeprefix(root), None, f"token={token}".encode())
assert poll()[0] == 404 and poll("wrong")[0] == 404
status, _, headers = ask(flow["login"].removeprefix(root))
place = urllib.parse.urlsplit(urllib.parse.urljoin(flow["login"], headers["Location"]))
query = urllib.parse.parse_qs(place.fragment.partition("?")[2])
assert status == 303 and place.path == "/" and place.fragment.startswith("/devices?") and query["client"][0].startswith("AntennaPod"), headers["Location"]
assert "\x07" not in query["client"][0]
token = query["flow"][0]
assert ask("/index.php/login/v2/flow/wrong")[0] == 404
assert ask("/api/v1/devices", (name, password), {"caption": "AntennaPod", "flow": flow["poll"]["token"]})[0] == 404
assert ask("/api/v1/devices", (other, password), {"caption": "AntennaPod", "flow": token})[0] == 403
assert poll()[0] == 404
status, shown, _ = ask("/api/v1/devices", (name, password), {"caption": "AntennaPod", "flow": token})
assert status == 200 and "password" not in shown, shown
assert ask("/api/v1/devices", (name, password), {"caption": "AntennaPod", "flow": token})[0] == 409
status, login_made, _ = poll()
assert status == 200 and (login_made["server"], login_made["loginName"]) == (root, name), login_made
assert poll()[0] == 404
assert ask("/index.php/apps/gpoddersync/subscriptions", (name, login_made["appPassword"]))[0] == 200
# Nobody who asks again and again keeps others from asking: of an address the oldest one goes.
begin = lambda headers={}: ask("/index.php/login/v2", None, b"", headers, "POST")
path = lambda one: one[1]["login"].removeprefix(root)
oldest, others = begin(), [begin() for _ in range(9)]
assert all(ask(path(one))[0] == 303 for one in [oldest, *others])
assert begin()[0] == 200 and ask(path(oldest))[0] == 404 and ask(path(others[0]))[0] == 303

# Behind a proxy that shows the page below a path.
for prefix, shown in {"/pod": "/pod", "/a/b/": "/a/b", "pod": "", "/x y": "", "/<b>": "", "//": "/"}.items():
    flow = begin({"X-Forwarded-Prefix": prefix})[1]
    assert flow["poll"]["endpoint"] == f"{root}{shown.rstrip('/')}/index.php/login/v2/poll", (prefix, flow)
made_below = ask("/api/v1/devices", (name, password), {"caption": "below"}, {"X-Forwarded-Prefix": "/pod"})[1]
assert made_below["server"] == root + "/pod", made_below

# Each browser or app has its own cookie, and logging out ends that one only.
log_in = lambda: ask(f"/api/2/auth/{name}/login.json", (name, secret), b"")[2]["Set-Cookie"].partition(";")[0]
one, two = log_in(), log_in()
shelf = f"/subscriptions/{name}/phone.txt"
assert one != two and ask(shelf, headers={"Cookie": one})[2]["Set-Cookie"].startswith(one)
assert ask(f"/api/2/auth/{name}/logout.json", body=b"", headers={"Cookie": one})[0] == 200
assert ask(shelf, headers={"Cookie": one})[0] == 401 and ask(shelf, headers={"Cookie": two})[0] == 200

# The library has the passwords, so that they outlast podcast-web; cookies and flows do not.
first, cookie = root, ask(f"/api/2/auth/{name}/login.json", (name, secret), b"")[2]["Set-Cookie"].partition(";")[0]
listing = f"/subscriptions/{name}/phone.txt"
assert ask(listing, headers={"Cookie": cookie})[0] == 200
root = second
assert ask(listing, headers={"Cookie": cookie})[0] == 401
assert feed in simple.SimpleClient(name, secret, root).get_subscriptions("phone")
flow = ask("/index.php/login/v2", None, b"", {"X-Forwarded-Proto": "https"}, "POST")[1]
assert flow["login"].startswith("https://") and flow["poll"]["endpoint"].startswith("https://"), flow

# A device that was removed gets no further answer, also with its cookie; others are not affected.
cookie = ask(f"/api/2/auth/{name}/login.json", (name, secret), b"")[2]["Set-Cookie"].partition(";")[0]
assert ask(listing, headers={"Cookie": cookie})[0] == 200
subprocess.run([podcastctl, "--socket", socket, "device", "remove", made["name"]], check=True)
assert ask(listing, headers={"Cookie": cookie})[0] == 401
try:
    simple.SimpleClient(name, secret, root).get_subscriptions("phone")
    assert False, "no refusal"
except http.Unauthorized:
    pass
root = first
assert ask(listing, (name, secret))[0] == 401
root = second
assert made["name"] not in devices()
assert ask(listing, (name, login_made["appPassword"]))[0] == 200

# Wrong app passwords count as wrong logins.
wrong = login_made["appPassword"][:-4] + "0000"
statuses = [ask(listing, (name, wrong[:-1] + str(digit)))[0] for digit in range(6)]
assert statuses[0] == 401 and statuses[-1] == 429, statuses
assert ask(listing, (name, login_made["appPassword"]))[0] == 200
print("ok")
