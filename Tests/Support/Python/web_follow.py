"""Watches pages while another client changes the library. Usage: web_follow.py URL FEED RELAY CONTROL

podcast-web connects to the socket RELAY, where this script stands for the daemon at CONTROL: it can be away.
"""
import json
import socket
import sys
import threading
import urllib.error
import urllib.request

from selenium import webdriver
from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from relayed import close, join
from web_browser import open_browser

url, feed, relay_path, control = sys.argv[1:5]


class Relay:
    """Passes connections on to the daemon while it runs."""

    def __init__(self):
        self.is_on, self.sockets = True, []
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(relay_path)
        listener.listen(100)
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def accept(self, listener):
        while True:
            client = listener.accept()[0]
            if not self.is_on:
                client.close()
                continue
            server = socket.socket(socket.AF_UNIX)
            server.connect(control)
            self.sockets += [client, server]
            join(client, server)

    def end(self):
        self.is_on = False
        close(*self.sockets)
        self.sockets = []


relay = Relay()


def ask(method, path, body=None):
    """The other client."""
    request = urllib.request.Request(
        f"{url}api/v1/{path}", method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


failures = []


def until(what, condition, seconds=20):
    """Waits; a failure is reported at the end, so that one run shows all."""
    try:
        WebDriverWait(browser, seconds, poll_frequency=0.05).until(lambda b: condition(), what)
    except TimeoutException:
        failures.append(what)
        print("not seen:", what, "| focus:", focused(), file=sys.stderr, flush=True)


def js(text, *arguments):
    return browser.execute_script(text, *arguments)


def shown():
    return js("return document.querySelector('main').innerText")


def focused():
    """The name of what has the focus."""
    return js("const a = document.activeElement; return a.getAttribute('aria-label') || a.id || a.textContent.slice(0, 60) || a.tagName")


def rows(selector):
    return js("return [...document.querySelectorAll(arguments[0] + ' > li .grow a')].map((a) => a.textContent)", selector)


def entries():
    """The titles in the queue, without the marks of starred ones."""
    return [one.removesuffix(" ★") for one in rows("#queue")]


def go(screen):
    js("location.hash = arguments[0]", f"#/{screen}")


def enter(selector):
    """Presses a control with the keyboard."""
    until(selector, lambda: browser.find_elements(By.CSS_SELECTOR, selector))
    js("document.querySelector(arguments[0]).focus()", selector)
    webdriver.ActionChains(browser).send_keys(Keys.ENTER).perform()


def queue_all():
    ask("DELETE", "queue")
    ask("POST", "queue", {"what": [f"e{number}" for number in ids], "again": True})
    go("queue")
    until("the queue", lambda: entries() == titles)


browser = open_browser()
try:
    browser.get(url)
    ask("POST", "feeds", {"urls": [feed]})
    episodes = ask("GET", "episodes")["episodes"]
    ids, titles = [one["id"] for one in episodes], [one["title"] for one in episodes]
    first, second = ids[:2]

    # Now playing has title and show of what is started while it is shown.
    go("playing")
    ask("POST", "queue", {"what": [f"e{number}" for number in ids]})
    for number, title in zip(ids[:3], titles):
        ask("POST", "playback/play", {"what": f"e{number}"})
        until(f"title and show of {title} in Now playing",
              lambda: js("return [...document.querySelectorAll('#playing .head bdi')].map((one) => one.textContent)") == [title, "Test feed"])
    js("document.querySelector('#player [aria-label=Previous]').click()")
    until("the title after Previous", lambda: titles[1] in js("return document.querySelector('#playing .head').textContent"))
    ask("PUT", f"episodes/{second}/star")
    until("a star in Now playing", lambda: js("return document.querySelector('#star')?.getAttribute('aria-pressed')") == "true")
    ask("POST", "playback/pause")

    # An episode's page.
    go(f"episode/{first}")
    until("the episode", lambda: titles[0] in shown())
    js("document.querySelector('#star').focus()")
    ask("PUT", f"episodes/{first}/star")
    until("a star on the page", lambda: js("return document.querySelector('#star').getAttribute('aria-pressed')") == "true")
    until("the focus at the star", lambda: focused() == "star", 2)
    ask("POST", "episodes/mark", {"as": "played", "what": [f"e{first}"]})
    until("the mark on the page", lambda: "Mark as unplayed" in shown())
    ask("PUT", f"episodes/{first}/note", {"text": "from elsewhere"})
    until("the note on the page", lambda: js("return document.querySelector('#note').value") == "from elsewhere")
    ask("PUT", f"episodes/{first}/download")
    until("the download on the page", lambda: "Delete download" in shown())
    ask("POST", "episodes/mark", {"as": "unplayed", "what": [f"e{first}"]})
    ask("PUT", f"episodes/{first}/position", {"position": 65})
    until("the position on the page", lambda: "at 1:05" in shown())

    # A draft of a note stays, and does not overwrite what another client wrote.
    browser.find_element(By.CSS_SELECTOR, "#note").send_keys(" and mine")
    ask("PUT", f"episodes/{first}/note", {"text": "another"})
    until("the warning", lambda: "changed elsewhere: another" in shown())
    until("the draft", lambda: js("return document.querySelector('#note').value") == "from elsewhere and mine", 2)
    until("the focus at the note", lambda: focused() == "note", 2)
    js("document.querySelector('main form button:not([type])').click()")
    until("the refusal", lambda: "not saved" in js("return document.querySelector('#message').textContent"))
    until("the other's note", lambda: ask("GET", f"episodes/{first}")["note"] == "another", 2)
    go("queue")
    until("the queue", lambda: rows("#queue"))
    go(f"episode/{first}")
    until("the draft after leaving", lambda: js("return document.querySelector('#note')?.value") == "from elsewhere and mine")
    js("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Keep my text')?.click()")
    js("[...document.querySelectorAll('main button')].find((one) => one.textContent === 'Save note').click()")
    until("the saved note", lambda: ask("GET", f"episodes/{first}")["note"] == "from elsewhere and mine")
    until("no more warning", lambda: "elsewhere:" not in shown() and "Not saved" not in shown())

    # Lists and counts.
    go("episodes")
    until("the episodes", lambda: len(rows("#episodes")) == 5)
    js("document.querySelector('#search').focus()")
    ask("PUT", f"episodes/{ids[2]}/star")
    until("a star in the list", lambda: f"{titles[2]} ★" in rows("#episodes"))
    until("the focus at the search", lambda: focused() == "search", 2)
    number = episodes[0]["feed"]
    for screen in ("feeds", f"feed/{number}"):
        for mark, count in (("played", 4), ("unplayed", 5)):
            go(screen)
            until(f"{screen}", lambda: "unplayed of 5" in shown())
            ask("POST", "episodes/mark", {"as": mark, "what": [f"e{ids[3]}"]})
            until(f"the count in {screen}", lambda: f"{count} unplayed of 5" in shown())

    # The queue: quick keys, a double click, and the focus.
    ask("POST", "playback/stop")
    queue_all()
    js("document.querySelector('#queue > li').focus()")
    webdriver.ActionChains(browser, duration=0).key_down(Keys.ALT).send_keys(*[Keys.ARROW_DOWN] * 3).key_up(Keys.ALT).perform()
    until("three places down", lambda: entries() == titles[1:4] + titles[:1] + titles[4:])
    until("the focus at the moved entry", lambda: focused() == f"4: {titles[0]}", 5)
    queue_all()
    button = browser.find_element(By.CSS_SELECTOR, f"#queue [aria-label='Remove {titles[1]}']")
    js("""window.removals = 0;
        const send = window.fetch;
        window.fetch = (url, options) => { window.removals += options?.method === 'DELETE'; return send(url, options); };""")
    webdriver.ActionChains(browser).move_to_element(button).click().pause(0.2).click().perform()
    until("one entry less", lambda: entries() == titles[:1] + titles[2:])
    until("one removal after a double click", lambda: js("return window.removals") == 1, 2)
    queue_all()
    enter(f"#queue [aria-label='Remove {titles[1]}']")
    until("the focus at the next entry", lambda: focused() == f"Remove {titles[2]}")

    # The focus in other lists.
    for number in ids[:2]:
        ask("POST", "playback/play", {"what": f"e{number}", "position": 5})
        until("playback", lambda: ask("GET", "status")["state"] == "playing")
        ask("POST", "bookmarks/add", {"text": f"bookmark {number}"})
    ask("POST", "playback/pause")
    ask("POST", "playback/stop")
    for number in ids[3:]:
        ask("PUT", f"episodes/{number}/download")
    for screen, label, gone in (("bookmarks", "Delete the bookmark", f"bookmark {second}"), ("downloads", "Delete the download", titles[3])):
        go(screen)
        until(screen, lambda: gone in rows(f"#{screen}") and len(rows(f"#{screen}")) > 1)
        enter(f"#{screen} [aria-label^='{label}'][aria-label$='{gone}']")
        until(f"one row less in {screen}", lambda: gone not in rows(f"#{screen}"))
        until(f"the focus in {screen}", lambda: focused().startswith(label), 5)

    # Settings.
    go("settings")
    until("the settings", lambda: browser.find_elements(By.CSS_SELECTOR, "#settings .setting input[type=number]"))
    key = "library.backups_kept"
    for step in ("1", "2"):
        number = browser.find_element(By.CSS_SELECTOR, f"[data-key='{key}'] input")
        number.send_keys(Keys.END, step if step == "1" else Keys.BACKSPACE, "2" if step == "2" else "", Keys.TAB)
        until("the default's button", lambda: browser.find_elements(By.CSS_SELECTOR, f"[data-key='{key}'] button"))
        until(f"the focus after Tab, change {step}", lambda: focused() not in ("BODY", "") and js(
            "return document.activeElement !== document.body"), 3)
    enter(f"[data-key='{key}'] button")
    until("the default", lambda: not browser.find_elements(By.CSS_SELECTOR, f"[data-key='{key}'] button"))
    until("the focus at the field", lambda: js("return document.activeElement === document.querySelector(arguments[0])", f"[data-key='{key}'] input"), 5)

    # Settings of a feed, also what others set, but never over a text that is being typed.
    shows = f"feed/{episodes[0]['feed']}"
    go(shows)
    until("the feed's settings", lambda: browser.find_elements(By.CSS_SELECTOR, "#feed-settings summary"))
    js("document.querySelector('#feed-settings summary').click()")
    value = lambda name: js("return document.querySelector(`.setting[data-key='${arguments[0]}'] input`)?.value", name)
    until("the default speed", lambda: value("speed") == "")
    browser.find_element(By.CSS_SELECTOR, ".setting[data-key='title'] input").send_keys(" draft")
    ask("POST", "feeds/set", {"feed": f"f{episodes[0]['feed']}", "key": "speed", "value": "1.5"})
    until("the speed that another client set", lambda: value("speed") == "1.5")
    until("the draft of the title", lambda: (value("title") or "").endswith(" draft"), 5)
    ask("POST", "feeds/set", {"feed": f"f{episodes[0]['feed']}", "key": "speed"})
    until("the default speed again", lambda: value("speed") == "")
    js("document.querySelector(`.setting[data-key='title'] input`).value = ''")

    # The bar leaves the control with the focus visible, also when the sound moves.
    go(f"episode/{first}")
    until("the episode", lambda: browser.find_elements(By.CSS_SELECTOR, "main .here"))
    browser.find_element(By.CSS_SELECTOR, "main .here").click()
    until("the sound in this browser", lambda: js("return document.querySelector('#here').ariaPressed") == "true")
    until("the padding for the bar", lambda: js(
        "return parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) >= document.querySelector('#bottom').offsetHeight"), 5)
    enter("#there")
    until("the sound on the outputs", lambda: js("return document.querySelector('#there').ariaPressed") == "true" and ask("GET", "status")["state"] == "playing")
    until("the focus after the move", lambda: js("return document.activeElement.id") == "there", 5)
    ask("POST", "playback/pause")

    # While the daemon is away.
    relay.end()
    until("not connected", lambda: "not connected" in js("return document.querySelector('#state').textContent"))
    screens = ["episodes", f"episode/{second}", f"feed/{episodes[0]['feed']}", "feeds", "queue", "settings"]
    for screen in screens:
        relay.is_on = False
        relay.end()
        browser.get("about:blank")
        browser.get(f"{url}#/{screen}")
        until(f"why {screen} is empty", lambda: "podcastd is not running" in shown())
        relay.is_on = True
        until(f"{screen} after the return", lambda: (titles[1] in shown() or "unplayed of" in shown() or "Default" in shown())
              and "not running" not in shown() and "not in the library" not in shown(), 60)

    # What is not in the library.
    go("feed/99999")
    until("an unknown feed", lambda: "99999" in shown() and "Loading" not in shown())
    go("episode/99999")
    until("an unknown episode", lambda: "99999" in shown() and "Loading" not in shown())
    go(f"feed/{episodes[0]['feed']}")
    until("the feed", lambda: "unplayed of 5" in shown())
    ask("DELETE", f"feeds/{episodes[0]['feed']}")
    until("the end of a feed", lambda: "unplayed of 5" not in shown() and f"f{episodes[0]['feed']}" in shown())
    faults = [entry["message"] for entry in browser.get_log("browser") if "Uncaught" in entry["message"]]
    assert not failures and not faults, (failures, faults)
except BaseException:
    print(failures, js("return document.body.innerText")[-3000:], browser.get_log("browser")[-5:], file=sys.stderr)
    raise
finally:
    browser.quit()
