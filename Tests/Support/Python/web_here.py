"""Listens to an episode of ten minutes in the browser. Usage: web_here.py URL NAME PASSWORD PERMISSION

The daemon has the episode 1, which plays from 0:10. Between browser and podcast-web there is a relay that stands for the network.
"""
import json
import socket
import sys
import threading
import urllib.request
from base64 import b64encode
from urllib.parse import urlsplit

from selenium.webdriver.common.keys import Keys

from relayed import join
from web_browser import Element, check_accessibility, open_browser, resize, waiting

url, name, password, permission = sys.argv[1:5]


class Relay:
    """Passes connections on to podcast-web while there is a network."""

    def __init__(self, port):
        self.target, self.sockets = port, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.connect()

    def connect(self):
        if self.listener is None:
            self.listener = socket.create_server(("127.0.0.1", self.port), reuse_port=False)
        threading.Thread(target=self.accept, args=(self.listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            try:
                client = listener.accept()[0]
                server = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                return
            self.sockets += [client, server]
            join(client, server)

    def disconnect(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.listener = None
        for one in self.sockets:
            one.close()
        self.sockets = []


def ask(path, method="GET", body=None):
    """Asks podcast-web without the relay."""
    request = urllib.request.Request(url + "api/v1/" + path, method=method, data=None if body is None else json.dumps(body).encode(), headers={
        "Authorization": "Basic " + b64encode(f"{name}:{password}".encode()).decode(), "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


relay = Relay(urlsplit(url).port)
page = f"http://127.0.0.1:{relay.port}/"
browser = open_browser()
wait = waiting(browser)


def until(what, condition):
    return wait.until(lambda b: condition(b), what)


def find(selector):
    return Element(browser, selector)


def text(selector):
    return browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def position():
    return int(find("#position").get_attribute("value"))


def saved():
    return ask("episodes/1")["position"]


def is_here():
    """Whether the bar says that the sound is in this browser."""
    return browser.execute_script("return document.getElementById('here').ariaPressed === 'true'")


def waiting_positions():
    return json.loads(browser.execute_script("return localStorage.getItem('heard') || '{}'"))


def seek(seconds):
    browser.execute_script("""
        const slider = document.getElementById("position");
        slider.value = arguments[0];
        slider.dispatchEvent(new Event("change"));""", seconds)


def note_starts():
    """From now on, the places where playback starts are in `starts`."""
    browser.execute_script("""
        window.starts = [];
        const play = HTMLMediaElement.prototype.play;
        HTMLMediaElement.prototype.play = function () {
          window.starts.push(this.currentTime);
          return play.call(this);
        };""")


def open_episode():
    browser.get("about:blank")
    browser.get(page + "#/episode/1")
    find("main button.here")
    note_starts()


def check_playing():
    """The screen that shows what the daemon plays offers the same."""
    browser.execute_script("location.hash = '#/playing'")
    until("the buttons", lambda b: text("h1") == "Now playing" and text(".head button.here") == "Play here")
    check_accessibility(browser, "playing")
    browser.back()
    find("main button.here")


def log_in():
    find("dialog[open] input[name=name]").send_keys(name)
    find("dialog[open] input[name=password]").send_keys(password, Keys.ENTER)


try:
    browser.get(page + "#/episode/1")
    log_in()
    before = ask("status")
    assert before["state"] == "playing" and before["position"] >= 10, before

    check_playing()
    if permission == "read":
        find("main button.here").click()
        until("playback here", lambda b: is_here() and position() > before["position"])
        assert "the position is not saved" in text("#state"), text("#state")
        assert browser.execute_script("return document.getElementById('there').disabled")
        find("#toggle").click()
        until("the pause", lambda b: text("#toggle") == "Play")
        assert waiting_positions() == {} and ask("status")["state"] == "playing"
        check_accessibility(browser, "here")
        print("ok")
        sys.exit()

    # The daemon pauses, the browser continues from the same position, and reports its position during playback.
    find("main button.here").click()
    until("the pause there", lambda b: ask("status")["state"] == "paused")
    start = ask("status")["position"]
    until("playback here", lambda b: is_here() and position() >= int(start) and text("#toggle") == "Pause")
    assert browser.execute_script("return [navigator.mediaSession.metadata.title, navigator.mediaSession.playbackState]") == ["Alpha talk", "playing"]
    until("reports", lambda b: saved() > start + 4)
    assert ask("sync/devices")["devices"][0]["name"].startswith("browser-")
    find("#toggle").click()
    until("the place of the pause", lambda b: text("#toggle") == "Play" and int(saved()) == position())
    for width in (1000, 390, 320):
        resize(browser, width, 844)
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth"), width
        assert browser.execute_script("""
            return [...document.querySelectorAll("#player :is(button, input, select)")].every((one) => one.getBoundingClientRect().right <= innerWidth + 1)"""), width
    resize(browser, 1000, 900)
    check_accessibility(browser, "here")

    # Another device goes back; after a reload the page continues there.
    ask("episodes/1/position", "PUT", {"position": 5, "device": "phone"})
    open_episode()
    find("main button.here").click()
    until("playback from the phone's place", lambda b: is_here() and position() >= 5)
    assert browser.execute_script("return starts") == [5]
    # One tab is heard at a time. A log-out stops playback and reports the place.
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(page + "#/episode/1")
    find("main button.here").click()
    start = saved()
    until("playback in the second tab", lambda b: is_here() and text("#toggle") == "Pause" and position() > start + 1)
    second = browser.current_window_handle
    browser.switch_to.window(first)
    until("the pause in the first tab", lambda b: text("#toggle") == "Play")
    browser.switch_to.window(second)
    seek(200)
    until("the new place", lambda b: position() >= 200)
    find("header [data-login]").click()
    until("the end of playback", lambda b: not is_here())
    until("the place", lambda b: saved() >= 200)
    until("nothing but the question for a login", lambda b: find("dialog[open]") and "Alpha talk" not in text("main"))
    browser.close()
    browser.switch_to.window(first)
    log_in()
    find("main button.here").click()
    until("playback in the first tab", lambda b: is_here() and text("#toggle") == "Pause" and position() >= 200)
    # A page that is closed reports its place.
    seek(300)
    until("the new place", lambda b: position() >= 300)
    open_episode()
    until("the last place", lambda b: saved() >= 300 and waiting_positions() == {})

    # The daemon continues from the same place.
    find("main button.here").click()
    until("playback here", lambda b: is_here() and text("#toggle") == "Pause" and position() >= 300)
    find("#there").click()
    until("playback there", lambda b: ask("status")["state"] == "playing")
    assert ask("status")["position"] >= 300 and not is_here()
    ask("playback/pause", "POST", {})
    ask("episodes/1/position", "PUT", {"position": 2})

    # Without a network the page opens, and a kept episode plays.
    until("the service worker", lambda b: b.execute_script("return navigator.serviceWorker.controller !== null"))
    find("main button.keep").click()
    until("the file", lambda b: text("main button.keep") == "Remove from browser")
    relay.disconnect()
    browser.get("about:blank")
    browser.get(page)
    until("the kept episode", lambda b: "#/offline" in b.current_url and find("#offline button"))
    check_accessibility(browser, "offline")
    note_starts()
    find("#offline button").click()
    until("playback from the last place known", lambda b: is_here() and position() >= 3)
    assert browser.execute_script("return starts") == [2]
    seek(400)
    until("playback from a range", lambda b: position() >= 401)
    find("#toggle").click()
    until("the position that waits", lambda b: waiting_positions().get("1", {}).get("position", 0) >= 400)
    assert saved() == 2
    # From then on it is sent with the time of this machine's clock.
    until("a position of the past", lambda b: b.execute_script("return Date.now()") - waiting_positions()["1"]["at"] > 5000)

    # The position is sent when the network is back; what was heard here and is older than what others sent is not.
    relay.connect()
    until("the position", lambda b: saved() >= 400 and waiting_positions() == {})
    browser.execute_script("location.hash = '#/offline'")
    find("#offline button:last-child").click()
    until("the removal", lambda b: "No episodes" in text("#offline"))
    assert browser.execute_async_script("const done = arguments[0]; caches.open('episodes').then((one) => one.keys()).then((keys) => done(keys.length))") == 0
    faults = [entry["message"] for entry in browser.get_log("browser") if not any(part in entry["message"] for part in ("ERR_CONNECTION", "401", "/picture?"))]
    assert not faults, faults
    print("ok")
except Exception:
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
