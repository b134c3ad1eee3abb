"""Opens each screen of lists and of the installation with the keyboard, and uses it.

Usage: web_screens.py URL ADMIN READER PASSWORD. The daemon has two feeds with an episode each; a part of one was heard.
"""
import sys

from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from web_browser import Element, check_accessibility, open_browser, resize, waiting

url, admin, reader, password = sys.argv[1:5]
browser = open_browser(1200, 900)
SCREENS = {
    "playlists": "#playlists li", "history": "#history li", "statistics": "#by-show tbody tr", "rules": "#rules li", "outputs": "#outputs .output",
    "activities": "#running li", "log": "#log li", "doctor": "h1", "settings": "#settings .setting", "logins": "h1", "devices": "#devices li",
}

# A playlist that the test keeps.
BY_HAND = {"playlist?name=Trip%20home": "#entries li[data-key]"}

# Their links are on the screen of settings.
INNER = ("devices", "logins", "activities", "log", "doctor")


def until(what, condition):
    return waiting(browser).until(lambda b: condition(), what)


def text(selector):
    return browser.execute_script("return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent).join(' | ')", selector)


def find(selector):
    return Element(browser, selector)


def active(expression):
    return browser.execute_script(f"return document.activeElement.{expression}")


def type_keys(*keys):
    browser.switch_to.active_element.send_keys(*keys)


def reach(selector):
    """Moves the focus with Tab to the element that a selector finds."""
    for _ in range(150):
        if browser.execute_script("return document.activeElement.matches(arguments[0])", selector):
            return
        type_keys(Keys.TAB)
    raise AssertionError(f"Tab does not reach {selector}")


def press(selector):
    until(selector, lambda: browser.execute_script("return document.querySelector(arguments[0])?.checkVisibility()", selector))
    browser.execute_script("document.querySelector(arguments[0]).focus()", selector)
    type_keys(Keys.ENTER)


def open_screen(name):
    """Opens a screen from the navigation, and checks that the focus is at the heading."""
    browser.execute_script("document.activeElement.blur()")
    if name in INNER:
        reach('nav a[href="#/settings"]')
        type_keys(Keys.ENTER)
        until("the settings", lambda: browser.find_elements(By.CSS_SELECTOR, f'main a[href="#/{name}"]'))
    reach(f'a[href="#/{name}"]')
    type_keys(Keys.ENTER)
    until(name, lambda: browser.execute_script("return location.hash") == f"#/{name}" and active("tagName") == "H1")
    until(f"{name}: {SCREENS[name]}", lambda: browser.find_elements(By.CSS_SELECTOR, f"main {SCREENS[name]}"))


def log_in(name):
    find("dialog[open] input[name=name]").send_keys(name)
    find("dialog[open] input[name=password]").send_keys(password, Keys.ENTER)
    until("the login", lambda: not browser.find_elements(By.CSS_SELECTOR, "dialog[open]"))


def use_playlists():
    press("#new-playlist summary")
    find("#new-playlist input[name=name]").send_keys("Titles")
    find("#new-playlist input[name=filter]").send_keys("is:nonsense")
    until("the refusal beside the field", lambda: "nonsense" in text("#new-playlist .problem"))
    find("#new-playlist input[name=filter]").clear()
    find("#new-playlist input[name=filter]").send_keys("title:title")
    until("the preview", lambda: "2 episodes" in text("#filter-preview") and not text("#new-playlist .problem"))
    find("#new-playlist input[name=filter]").send_keys(Keys.ENTER)
    until("the playlist", lambda: "Titles" in text("#playlists"))
    press('#playlists a[href$="Titles"]')
    until("its episode", lambda: "a title that" in text("#episodes"))
    check_accessibility(browser, "playlist")
    press("#edit-playlist summary")
    find("#edit-playlist input[name=name]").send_keys(" of mine", Keys.ENTER)
    until("the new name", lambda: text("h1") == "Titles of mine" and "a title that" in text("#episodes"))
    browser.execute_script("[...document.querySelectorAll('#playlist button')].find((one) => one.textContent === 'Delete').click()")
    until("the list without it", lambda: text("h1") == "Playlists" and text("#playlists") and "Titles" not in text("#playlists"))
    use_playlist_by_hand()
    use_mix()


def go(screen, place):
    browser.execute_script("location.hash = arguments[0]", f"#/{screen}")
    until(f"{screen}: {place}", lambda: browser.find_elements(By.CSS_SELECTOR, f"main {place}"))


def entries():
    """The episodes of the rows of the playlist that is shown."""
    return browser.execute_script("return [...document.querySelectorAll('#entries > [data-episode]')].map((one) => one.dataset.episode).join()")


def use_playlist_by_hand():
    """Creates a playlist and adds two episodes; moves, plays, removes and deletes. What is removed comes back."""
    press("#new-playlist summary")
    browser.execute_script("const kind = document.querySelector('#new-playlist [name=kind]'); kind.value = 'hand'; kind.dispatchEvent(new Event('change'))")
    until("no filter", lambda: not browser.execute_script("return document.querySelector('#new-playlist [name=filter]').checkVisibility()"))
    find("#new-playlist input[name=name]").send_keys("Trip", Keys.ENTER)
    until("the empty playlist", lambda: text("h1") == "Trip" and "No episodes" in text("#entries"))
    go("episode/2", "#add-to-playlist")
    press("#add-to-playlist")
    until("the playlists to choose from", lambda: active("closest('dialog')") and active("textContent") == "Trip")
    check_accessibility(browser, "choice of a playlist")
    type_keys(Keys.ENTER)
    until("one episode", lambda: text("#message") == "Trip: 1 episode")
    go("episodes", "[data-episode='1']")
    press("#episodes [data-episode='1'] [aria-haspopup=dialog]")
    until("the playlists to choose from", lambda: active("closest('dialog')"))
    type_keys(Keys.ENTER)
    until("two episodes", lambda: text("#message") == "Trip: 2 episodes")
    go("playlist?name=Trip", "#entries")
    until("the rows", lambda: entries() == "2,1")
    browser.execute_script("document.querySelectorAll('#entries > li')[1].focus()")
    webdriver.ActionChains(browser).key_down(Keys.ALT).send_keys(Keys.ARROW_UP).key_up(Keys.ALT).perform()
    until("the new order", lambda: entries() == "1,2")
    until("the focus on the moved row", lambda: active("matches('#entries > li:first-child')"))
    press("#entries > li:nth-child(1) [aria-label$=down]")
    until("the old order", lambda: entries() == "2,1")
    press("#entries > li:nth-child(1) [aria-label$=down]")
    until("the new order", lambda: entries() == "1,2")
    press("#entries > li:nth-child(2) .play")
    until("the second episode", lambda: browser.find_elements(By.CSS_SELECTOR, "#entries > [data-episode='2'][data-heard=on]"))
    press("#toggle")
    until("the pause", lambda: browser.find_elements(By.CSS_SELECTOR, "#entries > [data-episode='2'][data-heard=off]"))
    check_accessibility(browser, "playlist by hand")
    press("#entries > li:nth-child(1) [aria-label^=Remove]")
    until("one row", lambda: entries() == "2")
    press("#toast button")
    until("both rows", lambda: entries() == "1,2")
    press("#edit-playlist summary")
    find("#edit-playlist input[name=name]").send_keys(" home", Keys.ENTER)
    until("the new name", lambda: text("h1") == "Trip home" and entries() == "1,2")
    browser.execute_script("[...document.querySelectorAll('#playlist button')].find((one) => one.textContent === 'Delete').click()")
    until("the list without it", lambda: text("h1") == "Playlists" and text("#playlists") and "Trip" not in text("#playlists"))
    press("#toast button")
    until("the list with it", lambda: "Trip home" in text("#playlists"))
    go("queue", "#queue [data-episode]")
    press("#save-queue")
    find("dialog[open] input[name=playlist]").send_keys("Evening", Keys.ENTER)
    until("the queue as a playlist", lambda: text("#message") == "Evening: 2 episodes")


def use_mix():
    go("playlists", "#playlists li")
    press("#new-playlist summary")
    find("#new-playlist input[name=name]").send_keys("Turns")
    find("#new-playlist input[name=filter]").send_keys("order:newest feed:f1 order:oldest feed:f2")
    until("the preview", lambda: "2 episodes" in text("#filter-preview"))
    find("#new-playlist input[name=filter]").send_keys(Keys.ENTER)
    until("the mix", lambda: "Turns" in text("#playlists"))
    press('#playlists a[href$="Turns"]')
    until("its episodes", lambda: browser.execute_script("return document.querySelectorAll('#episodes > [data-episode]').length") == 2)
    go("playlists", "#playlists li")


def use_rules():
    find("#add-rule input[name=rule]").send_keys("title:title then fly", Keys.ENTER)
    until("the refusal beside the field", lambda: "fly" in text("#add-rule .problem"))
    find("#add-rule input[name=rule]").clear()
    find("#add-rule input[name=rule]").send_keys("title:title then queue", Keys.ENTER)
    until("the rule", lambda: "then queue" in text("#rules"))
    press("#rules button[aria-label='Edit rule 1']")
    until("the form", lambda: active("name") == "rule")
    find("#edit-rule input[name=rule]").send_keys(" download", Keys.ENTER)
    until("the changed rule", lambda: "then queue download" in text("#rules"))
    find("section.control input[name=all]").click()
    press("#try")
    until("the dry run", lambda: "would change" in text("#applied"))
    assert "0 episodes" not in text("#applied") and "a title that" in text("#changes"), text("#applied")
    check_accessibility(browser, "rules")
    press("#apply")
    until("the outcome", lambda: "changed" in text("#message"))
    press("#why summary")
    until("the reasons", lambda: "rule 1" in text("#judged"))
    press("#rules button[aria-label='Remove rule 1']")
    until("no rule", lambda: "No rules" in text("#rules"))
    find("#retention-form input[name=keep]").send_keys("newest", Keys.ENTER)
    until("the refusal beside the field", lambda: text("#keep-problem"))
    find("#retention-form input[name=keep]").clear()
    find("#retention-form input[name=keep]").send_keys("newest:9", Keys.ENTER)
    until("the dry run", lambda: "0 episodes would be hidden" in text("#keep-result"))
    press("#set-retention")
    until("the policy", lambda: "newest:9" in text("#retention"))
    press("#retention button")
    until("no policy", lambda: "All episodes stay" in text("#retention"))


def use_outputs():
    press("#find")
    until("the devices", lambda: "found" in text("section [role=status]"))
    press("#add-output summary")
    find("#add-output input[name=name]").send_keys("attic")
    browser.execute_script("const kind = document.querySelector('#add-output select'); kind.value = 'null'; kind.dispatchEvent(new Event('change'))")
    find("#add-output input[name=group]").send_keys("upstairs", Keys.ENTER)
    until("the output in its group", lambda: "attic" in text("#outputs .output") and "upstairs" in text("#outputs .group"))
    check_accessibility(browser, "outputs")
    find("input[aria-label='Volume of upstairs/attic']").send_keys(Keys.ARROW_LEFT)
    until("the volume", lambda: browser.execute_async_script("""
        const done = arguments[0];
        fetch("api/v1/outputs").then((response) => response.json()).then((reply) => done(reply.outputs.some((one) => one.volume === 95)));"""))
    press("button[aria-label='Group of upstairs/attic']")
    find("dialog[open] input[name=group]").clear()
    find("dialog[open] input[name=group]").send_keys(Keys.ENTER)
    until("no group", lambda: "95 %" in text("#outputs li[data-key='attic']") and not text("#outputs .group"))
    press("button[aria-label='Remove attic']")
    until("no output", lambda: "attic" not in text("#outputs") and text("#message") == "removed: attic")
    press("#toast button")
    until("the output again", lambda: "attic" in text("#outputs"))


def use_settings():
    find("main input[type=search]").send_keys("fade")
    until("the setting", lambda: "1 setting found" in text("#found-settings"))
    until("its section alone", lambda: browser.execute_script(
        "return [...document.querySelectorAll('#settings .setting')].filter((one) => one.checkVisibility()).map((one) => one.dataset.key).join()") == "playback.sleep_fade")
    field = find("#setting-playback-sleep-fade")
    field.clear()
    field.send_keys("7", Keys.ENTER)
    until("the message", lambda: "saved" in text("#message"))
    until("a button for the default", lambda: browser.find_elements(By.CSS_SELECTOR, "[data-key='playback.sleep_fade'] button"))
    find("main input[type=search]").clear()
    find("main input[type=search]").send_keys(Keys.SPACE, Keys.BACKSPACE)
    until("all sections", lambda: browser.execute_script("return document.querySelectorAll('#contents button').length") > 5)
    press("#contents button:last-child")
    assert active("tagName") == "H2"


def use_history():
    assert "heard to" in text("#history"), text("#history")
    browser.execute_script("const kind = document.querySelector('#kind'); kind.value = 'all'; kind.dispatchEvent(new Event('change'))")
    press("main details.control summary")
    until("what can be undone", lambda: text("#undoable"))


def use_logins():
    until("the users", lambda: admin in text("#users") and reader in text("#users"))
    until("the other browser", lambda: browser.execute_script("return document.querySelectorAll('#browsers li').length") == 2)
    assert text("#browsers .current .tag") == "this browser"
    press("#browsers li:not(.current) button")
    until("one browser", lambda: browser.execute_script("return document.querySelectorAll('#browsers li').length") == 1)


def use_doctor():
    press("#check")
    until("the checks", lambda: "library" in text("#checks") and "check" in text("#result"))


def use_statistics():
    assert "heard" in text("#statistics figure, #by-show").lower()
    assert browser.execute_script("return document.querySelector('#by-show tbody th').scope") == "row"


def use_activities():
    press("main .buttons button")
    until("the outcome", lambda: "episode" in text("#message"))


ACTS = {
    "playlists": use_playlists, "rules": use_rules, "outputs": use_outputs, "settings": use_settings, "history": use_history, "statistics": use_statistics,
    "activities": use_activities, "doctor": use_doctor, "logins": use_logins, "log": lambda: until("messages", lambda: "saved" in text("#log")), "devices": lambda: None,
}

try:
    browser.get(url)
    log_in(admin)
    for screen in ("history", "statistics", "rules", "playlists", "outputs", "activities", "doctor", "settings", "devices", "log"):
        open_screen(screen)
        ACTS[screen]()
        check_accessibility(browser, screen)

    # The browser forgets its login, and has another one afterwards; both are listed.
    browser.delete_cookie("podcastd")
    browser.refresh()
    log_in(admin)
    open_screen("logins")
    ACTS["logins"]()
    check_accessibility(browser, "logins")

    # On a phone nothing is wider than the window.
    resize(browser, 390, 844)
    for screen, place in {**SCREENS, **BY_HAND}.items():
        go(screen, place)
        wide = browser.execute_script("return document.documentElement.scrollWidth")
        assert wide <= 390, (screen, wide)

    # A user who may only read sees everything, and nothing that is refused.
    resize(browser, 1200, 900)
    browser.delete_cookie("podcastd")
    browser.refresh()
    log_in(reader)
    for screen in [*SCREENS, *BY_HAND]:
        if screen in SCREENS:
            open_screen(screen)
        else:
            go(screen, BY_HAND[screen])
        seen = browser.execute_script("""return [...document.querySelectorAll("main :is(button, input:not([type=search]), textarea)")]
            .filter((one) => one.checkVisibility() && !one.disabled && !one.matches("[data-login], #contents *, li > button")).map((one) => one.outerHTML)""")
        assert not seen, (screen, seen)
        check_accessibility(browser, f"{screen} of a reader")
    print("ok")
except BaseException:
    print(browser.page_source[-5000:], file=sys.stderr)
    print(browser.get_log("browser"), file=sys.stderr)
    raise
finally:
    browser.quit()
