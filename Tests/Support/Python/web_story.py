"""Uses the web remote in a browser, with the keyboard wherever it can. Usage: web_story.py URL FEED NAME PASSWORD"""
import sys

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from web_browser import Element, check_accessibility, open_browser, waiting

url, feed, name, password = sys.argv[1:5]
browser = open_browser()
wait = waiting(browser)


def find(selector):
    return Element(browser, selector)


def until(what, condition):
    wait.until(lambda b: condition(b), what)


def text(selector):
    return browser.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)


def rows(selector):
    return browser.execute_script(
        "return [...document.querySelectorAll(arguments[0] + ' > li .grow a')].map((a) => a.textContent)", selector)


def press(*keys):
    webdriver.ActionChains(browser).send_keys(*keys).perform()


def activate(label, scope="body"):
    """Presses a button by the keyboard, found by the name that a screen reader says."""
    def enter(b):
        for button in b.find_elements(By.CSS_SELECTOR, f"{scope} button"):
            if button.accessible_name == label:
                b.execute_script("arguments[0].focus()", button)
                button.send_keys(Keys.ENTER)
                return True
        return False
    wait.until(enter, f"no button '{label}'")


def unnamed():
    """Controls without a name for screen readers; lists that are drawn again meanwhile are asked once more."""
    try:
        return [control.get_attribute("outerHTML")[:200]
                for control in browser.find_elements(By.CSS_SELECTOR, "button, input, select, textarea, a:not([aria-hidden])")
                if control.is_displayed() and not control.accessible_name]
    except StaleElementReferenceException:
        return ["stale"]


def go(screen):
    browser.execute_script("location.hash = arguments[0]", f"#/{screen}")


try:
    browser.get(url)
    until("the state", lambda b: "Nothing plays" in text("#player .title"))

    # A command without permission asks for the login; then the command is carried out.
    go("feeds")
    find("#subscribe input").send_keys(feed, Keys.ENTER)
    find("dialog[open] input[name=name]").send_keys(name)
    find("dialog[open] input[name=password]").send_keys(password, Keys.ENTER)
    until("the feed", lambda b: rows("#feeds") == ["Test feed"])

    # Search as you type.
    go("episodes")
    until("all episodes", lambda b: len(rows("#episodes")) == 3)
    find("#search").send_keys("beta")
    until("the match", lambda b: rows("#episodes") == ["Beta talk"])
    activate("Queue Beta talk")
    for _ in "beta":
        find("#search").send_keys(Keys.BACKSPACE)
    until("all episodes", lambda b: len(rows("#episodes")) == 3)
    activate("Queue Gamma talk")
    until("the header", lambda b: text("#queue-length") == "(2)")

    # The queue is reordered with the keyboard, and the entry keeps the focus.
    go("queue")
    until("the queue", lambda b: rows("#queue") == ["Beta talk", "Gamma talk"])
    browser.execute_script("document.querySelectorAll('#queue > li')[1].focus()")
    webdriver.ActionChains(browser).key_down(Keys.ALT).send_keys(Keys.ARROW_UP).key_up(Keys.ALT).perform()
    until("the new order", lambda b: rows("#queue") == ["Gamma talk", "Beta talk"])
    until("the focus", lambda b: b.switch_to.active_element.accessible_name == "1: Gamma talk")
    # From a link or a button in its row, too.
    for control, key, order in (("a.name", Keys.ARROW_DOWN, ["Beta talk", "Gamma talk"]),
                                ("button", Keys.ARROW_DOWN, ["Gamma talk", "Beta talk"])):
        browser.execute_script("document.querySelector(`#queue > li ${arguments[0]}`).focus()", control)
        webdriver.ActionChains(browser).key_down(Keys.ALT).send_keys(key).key_up(Keys.ALT).perform()
        until(f"the order after Alt in '{control}'", lambda b: rows("#queue") == order)
    # By dragging.
    browser.execute_script("""
        const rows = document.querySelectorAll('#queue > li');
        const data = new DataTransfer();
        rows[1].dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }));
        rows[0].dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));""")
    until("the old order", lambda b: rows("#queue") == ["Beta talk", "Gamma talk"])

    # Playing: position, pause.
    activate("Play Gamma talk")
    until("playback", lambda b: text("#toggle") == "Pause" and "Gamma talk" in text("#player .title"))
    go("playing")
    activate("Forward 30 seconds")
    until("the position", lambda b: int(find("#position").get_attribute("value")) >= 30)
    until("the position for screen readers", lambda b: "of 2 minutes" in find("#position").get_attribute("aria-valuetext"))
    activate("Pause")
    until("the pause", lambda b: text("#toggle") == "Play")

    # Note and star.
    go("episodes")
    find("#search")
    until("all episodes", lambda b: "Gamma talk" in rows("#episodes"))
    wait.until(lambda b: [a.send_keys(Keys.ENTER) for a in b.find_elements(By.CSS_SELECTOR, "#episodes .grow a")
                          if a.text == "Gamma talk"][:1], "no link to the episode")
    find("#note").send_keys("hear it again")
    activate("Save note")
    until("the message", lambda b: text("#message") == "note saved")
    activate("★ Star")
    until("the star", lambda b: find("#star").get_attribute("aria-pressed") == "true")

    # Settings are forms made from declarations.
    go("settings")
    rows_of_settings = wait.until(lambda b: b.find_elements(By.CSS_SELECTOR, "#settings .setting"))
    assert len(rows_of_settings) > 10
    choice = find("#settings .setting[data-key='library.backup_every'] select")
    assert choice.accessible_name == "Backup every"
    values = choice.use(lambda one: [option.get_attribute("value") for option in Select(one).options])
    wanted = next(value for value in values if value != choice.get_attribute("value"))
    choice.use(lambda one: Select(one).select_by_value(wanted))
    until("the saved setting", lambda b: b.execute_script("""
        const row = document.querySelector("#settings .setting[data-key='library.backup_every']");
        return row?.querySelector("select").value === arguments[0] && row.querySelector("button") !== null;""", wanted))

    # A feed's settings have the kinds that are declared, and a checkbox goes back to its default.
    go("feeds")
    until("the feed", lambda b: rows("#feeds"))
    find("#feeds .grow a").send_keys(Keys.ENTER)
    find("#feed-settings summary").click()
    field = lambda key, kind: find(f".setting[data-key='{key}'] {kind}")
    speed = field("speed", "input")
    assert speed.accessible_name == "Speed", speed.accessible_name
    assert [speed.get_attribute(name) for name in ("type", "min", "max", "step")] == ["number", "0.5", "4", "0.05"]
    mono = field("mono", "select")
    assert mono.use(lambda one: [option.text for option in Select(one).options]) == ["default (no)", "yes", "no"]
    for value, said in (("yes", "Mono saved"), ("", "Mono reset")):
        mono.use(lambda one: Select(one).select_by_value(value))
        until("the message", lambda b: text("#message") == said)

    # Every control has a name, and nothing was blocked or asked of another server.
    for screen in ("home", "more", "playing", "queue", "feeds", "episodes", "downloads", "bookmarks", "settings"):
        go(screen)
        until("the screen", lambda b: screen in b.current_url and b.find_elements(By.CSS_SELECTOR, "main h1"))
        until("controls with names", lambda b: unnamed() == [])
        check_accessibility(browser, screen)
    foreign = browser.execute_script(
        "return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => !n.startsWith(location.origin) && !n.startsWith('blob:'))")
    assert not foreign, foreign
    faults = [entry["message"] for entry in browser.get_log("browser")
              if not any(part in entry["message"] for part in ("401", "/episodes/", "/picture?"))]
    assert not faults, faults
    print("ok", wanted)
except BaseException:
    print(browser.page_source[-6000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
