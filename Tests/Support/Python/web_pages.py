"""Logs in wrongly and rightly, then uses a private feed, notes, OPML, downloads and bookmarks from the browser.

Usage: web_pages.py URL PRIVATE-FEED OPML-FILE NAME PASSWORD LARGE-OPML-FILE
"""
import pathlib
import sys
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from web_browser import Element, check_accessibility, open_browser, waiting

url, private, opml, name, password, large = sys.argv[1:7]
browser = open_browser()
browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(pathlib.Path(opml).parent)})
wait = waiting(browser)


def find(selector):
    return Element(browser, selector)


def until(what, condition):
    return wait.until(lambda b: condition(), f"{what}; message: {text('#message')}")


def text(selector):
    return browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def titles(selector):
    return browser.execute_script("return [...document.querySelectorAll(arguments[0] + ' > li .grow a')].map((a) => a.textContent)", selector)


def press(label, scope="body"):
    """Presses a button, found by the name that a screen reader says."""
    script = """
        const name = (one) => one.getAttribute("aria-label") || one.textContent;
        const one = [...document.querySelectorAll(arguments[0] + " button")].find((one) => one.checkVisibility() && name(one) === arguments[1]);
        one?.click();
        return Boolean(one);"""
    until(f"button '{label}'", lambda: browser.execute_script(script, scope, label))


def go(screen):
    browser.execute_script("location.hash = arguments[0]", f"#/{screen}")


def log_in(given):
    find("dialog[open] input[name=password]").send_keys(given, Keys.ENTER)


try:
    # Nothing is shown before the login. A wrong password is reported in the dialog, which keeps the name.
    browser.get(url)
    find("dialog[open] input[name=name]").send_keys(name)
    log_in("wrong")
    until("the problem", lambda: "wrong name or password" in text("dialog[open] .problem"))
    assert "podcast-web --hash-password" in text("dialog .problem")
    assert browser.execute_script("""
        const [field, problem] = ["input[name=password]", ".problem"].map((one) => document.querySelector("dialog " + one));
        return document.activeElement === field && field.getAttribute("aria-describedby") === problem.id
          && problem.getBoundingClientRect().top - field.getBoundingClientRect().bottom < 40;""")
    assert find("dialog input[name=name]").get_attribute("value") == name
    assert text("header [data-login]") == "Log in" and text("#message") == ""
    check_accessibility(browser, "login")
    log_in(password)
    until("the state", lambda: not browser.find_elements(By.CSS_SELECTOR, "dialog[open]") and "Nothing plays" in text("#player .title"))
    until("no message about the connection", lambda: "not connected" not in text("#state"))
    assert text("header [data-login]") == "Log out"
    until("the screen after the login", lambda: "No podcasts yet" in text("main"))

    # No script can read the login, and it ends with the browser.
    cookie = browser.get_cookie("podcastd")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and "expiry" not in cookie, cookie
    assert not browser.execute_script("return document.cookie + JSON.stringify(sessionStorage) + JSON.stringify(localStorage)").count(password)

    # A further tab needs no login.
    first = browser.current_window_handle
    browser.switch_to.new_window("tab")
    browser.get(url + "#/feeds")
    until("the screen", lambda: "No feeds yet" in text("#feeds") and text("header [data-login]") == "Log out")
    assert not browser.find_elements(By.CSS_SELECTOR, "dialog[open]")
    browser.close()
    browser.switch_to.window(first)

    # The page asks again for a login that is no longer valid. A browser may stay logged in.
    browser.add_cookie({"name": "podcastd", "value": cookie["value"][:-1] + "x"})
    browser.refresh()
    find("dialog[open] input[name=name]").send_keys(name)
    find("dialog[open] input[name=stay]").click()
    log_in(password)
    until("the state", lambda: "Nothing plays" in text("#player .title") and "not connected" not in text("#state"))
    assert browser.get_cookie("podcastd")["expiry"] - time.time() > 29 * 86400

    # A private feed: the form asks for its login, and says if that is wrong.
    go("feeds")
    find("#subscribe input[name=url]").send_keys(private, Keys.ENTER)
    until("the fields of the login", lambda: browser.find_element(By.CSS_SELECTOR, "#subscribe input[name=user]").is_displayed())
    assert "login required" in text("#subscribe .problem") and "podcastctl" not in text("#subscribe .problem")
    find("#subscribe input[name=user]").send_keys("sam")
    find("#subscribe input[name=password]").send_keys("wrong", Keys.ENTER)
    until("the refusal", lambda: "login rejected" in text("#subscribe .problem"))
    field = find("#subscribe input[name=password]")
    field.clear()
    field.send_keys("secret", Keys.ENTER)
    until("the private feed", lambda: any("Private show" in one for one in titles("#feeds")))
    assert text("#subscribe .problem") == ""

    # "Refresh all" says if nothing was due, and fetches all the same if asked.
    press("Refresh all", "main")
    until("the message", lambda: text("#message") == "No feed was due.")
    press("Fetch all the same", "#toast")
    until("the message", lambda: text("#message") == "0 new episodes")

    # A publisher's text keeps its own direction within a line.
    go("feed/1")
    until("the author", lambda: text("main .head .dim bdi") == "ليلى")
    assert browser.execute_script("return getComputedStyle(document.querySelector('main .head .dim bdi')).unicodeBidi") == "isolate"
    assert browser.execute_script("return document.querySelector('h1').dir") == "auto"
    go("feeds")
    until("the feeds", lambda: titles("#feeds"))

    # A list of subscriptions comes from a file and goes into one.
    find("main input[type=file]").send_keys(opml)
    until("the imported feed", lambda: len(titles("#feeds")) == 2)
    press("Export OPML")
    exported = pathlib.Path(opml).parent / "podcasts.opml"
    until("the file", lambda: exported.exists() and "</opml>" in exported.read_text())
    assert "private.xml" in exported.read_text() and "feed.xml" in exported.read_text()
    check_accessibility(browser, "feeds")

    # Notes have their links, and nothing else of what the publisher wrote.
    go("episodes")
    until("both episodes", lambda: len(titles("#episodes")) == 2)
    find("#episodes .grow a").click()
    press("Play", "main")
    go("playing")
    until("the notes", lambda: "the page" in text("#playing .notes"))
    links = browser.execute_script(
        "return [...document.querySelectorAll('#playing .notes a')].map((one) => [one.getAttribute('href'), one.rel, one.target])")
    assert links == [[one, "noreferrer noopener", "_blank"] for one in ("https://example.org/a?b=1", "mailto:us@example.org", "https://example.org/plain")], links
    assert "no page" in text("#playing .notes") and "alert" not in text("#playing .notes")
    assert not browser.find_elements(By.CSS_SELECTOR, ".notes :is(script, img, style, [onerror])")
    # Times within the episode are followed, others are text.
    times = browser.execute_script("return [...document.querySelectorAll('#playing .notes .time')].map((one) => one.textContent)")
    assert times[:2] == ["0:05", "00:00:07"] and "99:99" not in times, times
    press("Play from 7 seconds", "#playing .notes")
    until("the place", lambda: int(find("#position").get_attribute("value")) >= 7)
    assert browser.execute_script("return [...document.querySelectorAll('#playing .notes p')].every((one) => one.dir === 'auto')")
    press("Pause", "#player")

    # What 'play' takes is played from the field of the search.
    go("episodes")
    field = find("#search")
    field.send_keys("e2")
    press("Play what the field says, such as e12, #3, an address or words of a title", "main")
    until("playback", lambda: text("#toggle") == "Pause")
    field.send_keys(Keys.BACKSPACE, Keys.BACKSPACE)
    until("all episodes", lambda: len(titles("#episodes")) == 2)
    go("playing")
    until("the notes", lambda: "the page" in text("#playing .notes"))
    press("Pause", "#player")

    # A bookmark is added, played, deleted, and brought back.
    find("#playing input[name=bookmark]").send_keys("a good place", Keys.ENTER)
    until("the message", lambda: text("#message").startswith("bookmark added"))
    go("bookmarks")
    until("the bookmark", lambda: titles("#bookmarks") == ["a good place"])
    press("Play from a good place")
    until("playback", lambda: text("#toggle") == "Pause")
    press("Pause", "#player")
    press("Delete the bookmark a good place")
    until("the empty list", lambda: "No bookmarks" in text("#bookmarks"))
    check_accessibility(browser, "a message with a button")
    press("Undo", "#toast")
    until("the bookmark", lambda: titles("#bookmarks") == ["a good place"])
    check_accessibility(browser, "bookmarks")

    # A download is started, listed, deleted, and brought back.
    go("episodes")
    until("both episodes", lambda: len(titles("#episodes")) == 2)
    find("#episodes li:nth-child(2) .grow a").click()
    press("Download", "main")
    until("the message", lambda: text("#message") == "downloading")
    go("downloads")
    until("the download", lambda: "· downloaded" in text("#downloads"))
    browser.execute_script("document.querySelector('#downloads [aria-label^=\"Delete\"]').click()")
    until("the message", lambda: text("#message").startswith("download deleted"))
    until("the list without it", lambda: "· downloaded" not in text("#downloads"))
    press("Undo", "#toast")
    until("the download", lambda: "· downloaded" in text("#downloads"))

    # Marks are actions by name; an episode that does not exist is not waited for.
    go("episodes")
    find("#episodes .grow a").click()
    press("Mark as played", "main")
    press("Mark as unplayed", "main")
    until("the action", lambda: "Mark as played" in text("main"))
    go("episode/99999")
    until("the explanation", lambda: "not in the library" in text("main"))
    # A setting that is refused keeps its value.
    go("settings")
    field = find("[data-key='output.close_after'] input")
    stored = field.get_attribute("value")
    field.clear()
    field.send_keys("soon", Keys.TAB)
    until("the refusal", lambda: "output.close_after" in text("#message"))
    until("the stored value", lambda: field.get_attribute("value") == stored != "")
    # An output is added, set, and the only one; the message offers to undo that.
    go("outputs")
    find("#add-output summary").click()
    browser.execute_script("document.querySelector('#add-output select').value = 'null'")
    find("#add-output input[name=name]").send_keys("shed", Keys.ENTER)
    outputs = lambda: browser.execute_script("return [...document.querySelectorAll('#outputs .name')].map((one) => one.textContent)")
    until("the output", lambda: "shed" in outputs())
    find("[aria-label='Delay of shed in milliseconds']").send_keys("\b80", Keys.TAB)
    press("Play only on shed", "main")
    until("the other one off", lambda: not find("#outputs li:first-child input").use(lambda one: one.is_selected()))
    check_accessibility(browser, "outputs")
    press("Undo", "#toast")
    until("the other one on", lambda: find("#outputs li:first-child input").use(lambda one: one.is_selected()))
    assert find("[aria-label='Delay of shed in milliseconds']").get_attribute("value") == "80"
    press("Remove shed", "main")
    until("the list without it", lambda: "shed" not in outputs())
    # A list that is too long for one request is sent in parts.
    go("feeds")
    until("the feeds", lambda: len(titles("#feeds")) == 2)
    find("main input[type=file]").send_keys(large)
    until("the long list", lambda: len(titles("#feeds")) == 62)
    # The browser itself reports answers that a script expects: wrong logins, shows without a cover, and an episode that does not exist.
    faults = [entry["message"] for entry in browser.get_log("browser")
              if not any(part in entry["message"] for part in ("401", "502", "episodes/99999", "output.close_after", "/picture?"))]
    assert not faults, faults
    print("ok")
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
