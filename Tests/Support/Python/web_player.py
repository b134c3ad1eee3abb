"""Moves the sound between the outputs and the browser, and uses lists. Usage: web_player.py URL

The daemon has feed 1 with the episodes "Talk 1" (the oldest, with two chapters) to "Talk 130", each of ten minutes. Everything is
allowed without a login.
"""
import json
import sys
import urllib.request

from web_browser import Element, check_accessibility, open_browser, waiting

url = sys.argv[1]
browser = open_browser()
wait = waiting(browser)


def ask(path, method="GET", body=None):
    request = urllib.request.Request(
        url + "api/v1/" + path, method=method, data=None if body is None else json.dumps(body).encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def js(text, *arguments):
    return browser.execute_script(text, *arguments)


def until(what, condition):
    return wait.until(lambda b: condition(), what)


def find(selector):
    return Element(browser, selector)


def text(selector):
    return js("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def titles(selector):
    return js("return [...document.querySelectorAll(arguments[0] + ' > li .name')].map((one) => one.textContent)", selector)


def go(screen):
    js("location.hash = arguments[0]", f"#/{screen}")


def position():
    return int(find("#position").get_attribute("value"))


def seek(seconds):
    js("""const slider = document.getElementById("position");
        slider.value = arguments[0];
        slider.dispatchEvent(new Event("change"));""", seconds)


def choose(name, value):
    js("""const one = document.querySelector(`[aria-label="${arguments[0]}"]`);
        one.value = arguments[1];
        one.dispatchEvent(new Event("change"));""", name, value)


def press(label, scope="body"):
    script = """const one = [...document.querySelectorAll(arguments[0] + " button")]
          .find((one) => one.checkVisibility() && (one.getAttribute("aria-label") || one.textContent) === arguments[1]);
        one?.click();
        return Boolean(one);"""
    until(f"button '{label}'", lambda: js(script, scope, label))


def is_here():
    return js("return document.getElementById('here').ariaPressed === 'true'")


try:
    number = {one["title"]: one["id"] for order in ("newest", "oldest") for one in ask(f"feeds/1/episodes?limit=130&order={order}")["episodes"]}
    first, second = number["Talk 1"], number["Talk 2"]
    ask("queue", "POST", {"what": [f"e{first}", f"e{second}"]})
    ask("bookmarks/add", "POST", {"episode": f"e{first}", "at": "200", "skipTo": "300"})
    ask("playback/play", "POST", {"what": f"e{first}", "position": 10})

    # One press moves the sound here, where it continues from the same place.
    browser.get(url)
    until("the bar", lambda: "Talk 1" in text("#player .title") and text("#there") == "null")
    assert not is_here()
    find("#here").click()
    until("the pause there", lambda: ask("status")["state"] == "paused")
    until("playback here", lambda: is_here() and text("#toggle") == "Pause" and position() >= int(ask("status")["position"]))
    check_accessibility(browser, "home")

    # Chapters act on what is heard, and a marked part is left out unless a seek leads into it.
    go("playing")
    until("the chapters", lambda: len(js("return document.querySelectorAll('#chapters li')")) == 2)
    press("Play from 2 minutes: Second chapter", "#chapters")
    until("the chapter here", lambda: 120 <= position() < 140 and text("#chapter").startswith("Second chapter"))
    assert ask("status")["state"] == "paused"
    # Later than five seconds after its beginning, the first press goes back to that.
    until("the beginning of the episode", lambda: press("Previous chapter", "main") or position() < 60)
    assert js("return document.querySelectorAll('#player .skip').length") == 1
    seek(198)
    until("the end of the part", lambda: 300 <= position() < 330)
    seek(250)
    until("the part", lambda: 250 <= position() < 280)
    before = position()
    until("playback within the part", lambda: before < position() < 290)

    # Speed and sleep timer are those of this browser's sound; the speed applies to all shows, as on the daemon.
    choose("Speed", "1.50")
    until("the speed", lambda: ask("settings/playback.speed")["value"] == "1.5")
    choose("Speed", "1.00")
    until("the speed", lambda: ask("settings/playback.speed")["value"] == "1")
    choose("Sleep timer", "15m")
    until("the timer", lambda: js("return document.querySelector('#player .chip.on option[data-running]')?.textContent") == "Sleep in 15 min")
    choose("Sleep timer", "off")

    # At the end of an episode the queue goes on here, and the episode leaves the queue. The show ends 30 seconds earlier.
    ask("feeds/set", "POST", {"feed": "f1", "key": "skip_end", "value": "30"})
    until("the end that is left out", lambda: js("return document.querySelectorAll('#player .skip').length") == 2)
    seek(565)
    until("the next entry", lambda: "Talk 2" in text("#player .title") and text("#toggle") == "Pause")
    until("the mark", lambda: ask(f"episodes/{first}")["played"])
    until("the queue without the first", lambda: [one["episode"]["id"] for one in ask("queue")["entries"]] == [second])
    assert is_here() and ask("status")["state"] != "playing"
    seek(100)
    until("the place", lambda: position() >= 101)

    # After a reload the episode waits here, and continues where another device has brought it. One press moves the sound back.
    browser.refresh()
    until("the episode", lambda: is_here() and "Talk 2" in text("#player .title") and position() >= 100)
    ask(f"episodes/{second}/position", "PUT", {"position": 300, "device": "phone"})
    find("#toggle").click()
    until("playback from the phone's place", lambda: text("#toggle") == "Pause" and 300 <= position() < 400)
    find("#there").click()
    until("playback there", lambda: ask("status")["state"] == "playing" and not is_here())
    assert ask("status")["episode"]["id"] == second and ask("status")["position"] >= 300
    ask("playback/pause", "POST", {})

    # Home begins with what was begun. Its button pauses what is heard.
    go("home")
    until("what was begun", lambda: titles("#begun") == ["Talk 2"])
    press("Play Talk 2", "#begun")
    until("playback", lambda: ask("status")["state"] == "playing")
    press("Pause Talk 2", "#begun")
    until("the pause", lambda: ask("status")["state"] == "paused")

    # Shows are found among those that are subscribed.
    go("feeds")
    find("#subscribe input").send_keys("lon")
    until("the show", lambda: titles("#feeds") == ["A long show"])
    find("#subscribe input").send_keys("x")
    until("no show", lambda: "None of your shows" in text("#feeds"))

    # A show is searched, filtered and ordered. Back keeps it.
    go("feed/1")
    until("the newest", lambda: titles("#of-show")[:2] == ["Talk 130", "Talk 129"])
    choose("Order", "oldest")
    until("the oldest", lambda: titles("#of-show")[:2] == ["Talk 1", "Talk 2"])
    choose("Show", "unplayed")
    until("the unplayed", lambda: titles("#of-show")[:2] == ["Talk 2", "Talk 3"])
    find("#search").send_keys("77")
    until("the match", lambda: titles("#of-show") == ["Talk 77"])
    find("#of-show .name").click()
    until("the episode", lambda: text("h1") == "Talk 77")
    browser.back()
    until("the match again", lambda: titles("#of-show") == ["Talk 77"] and find("#search").get_attribute("value") == "77")
    check_accessibility(browser, "feed")

    # Back keeps the place, also far below.
    go("episodes")
    until("the first rows", lambda: len(titles("#episodes")) >= 50)
    for count in (100, 130):
        until(f"{count} rows", lambda: js("scrollTo(0, document.body.scrollHeight)") or len(titles("#episodes")) >= count)
    js("[...document.querySelectorAll('#episodes li')].find((one) => one.textContent.includes('Talk 60')).scrollIntoView({ block: 'center' })")
    top = lambda: js("""const one = [...document.querySelectorAll('#episodes li')].find((one) => one.textContent.includes('Talk 60'));
        return one ? Math.round(one.getBoundingClientRect().top) : -1""")
    until("the row in the middle", lambda: 200 < top() < 700)
    place = top()
    js("[...document.querySelectorAll('#episodes .name')].find((one) => one.textContent === 'Talk 60').click()")
    until("the episode", lambda: text("h1") == "Talk 60")
    assert js("return scrollY") == 0
    browser.back()
    until("the same place", lambda: len(titles("#episodes")) == 130 and abs(top() - place) <= 4)

    faults = [entry["message"] for entry in browser.get_log("browser") if not any(part in entry["message"] for part in ("ERR_ABORTED", "/picture?"))]
    assert not faults, faults
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
